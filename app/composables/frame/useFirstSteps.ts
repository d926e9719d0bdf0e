/** A step to set up a new clinic. A module adds its own in its layer's `app/staff.ts`. */
export interface FirstStep {
  /** The translation key of the task, such as "Add your first patient". */
  label: string
  to: string
  /** Another way to do the step. */
  also?: { label: string, to: string }
  /** The permission that the step needs. People without it don't see the step. */
  permission: string
  /** Steps are sorted by this number. */
  order: number
  /** Called on the home page until all steps are done. */
  isDone (signal: AbortSignal): Promise<boolean>
}

const steps = shallowReactive<FirstStep[]>([])

/** The steps of a new clinic that the person has the permissions for. */
export function useFirstSteps() {
  const { can } = useSession()
  return {
    add(step: FirstStep) {
      if (!steps.some(({ label }) => label === step.label)) steps.push(step)
    },
    own: () => steps.filter(({ permission }) => can(permission)).sort((one, other) => one.order - other.order)
  }
}
