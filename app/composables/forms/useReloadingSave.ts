/**
 * `useSave` for a record that someone else may have changed: if the server refuses the action for that reason, the
 * record is loaded again, and the action's error is kept.
 */
export function useReloadingSave<A extends unknown[]>(
  act: (...input: A) => Promise<void>,
  reload: () => Promise<unknown>
) {
  return useSave(async (...input: A) => {
    try {
      await act(...input)
    } catch (thrown) {
      // The action's error matters more than one of the reload.
      if ([409, 412].includes(toApiError(thrown).status)) await reload().catch(() => {})
      throw thrown
    }
  })
}

/** The props of a dialog that shows how an action goes: `v-bind="progressOf(pay)"`. */
export const progressOf = ({ saving, error }: Pick<ReturnType<typeof useSave>, 'saving' | 'error'>) =>
  ({ saving: saving.value, error: error.value })
