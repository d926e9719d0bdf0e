/** A step that sets a new clinic up. A module adds its own in `app/staff.ts` of its layer. */
export interface FirstStep {
  /** Key of what to do, such as "Add your first patient". */
  label: string
  to: string
  /** A second way to do it. */
  also?: { label: string, to: string }
  /** Needed to do it. Others don't see the step. */
  permission: string
  /** Steps are shown in this order. */
  order: number
  /** Asked on the first page until all steps are done. */
  isDone (signal: AbortSignal): Promise<boolean>
}

const steps = shallowReactive<FirstStep[]>([])

/** The steps of a new clinic, by the permissions of the person. */
export function useFirstSteps() {
  const { can } = useSession()
  return {
    add(step: FirstStep) {
      if (!steps.some(({ label }) => label === step.label)) steps.push(step)
    },
    own: () => steps.filter(({ permission }) => can(permission)).sort((one, other) => one.order - other.order)
  }
}
