/**
 * Runs an action that changes data. `saving` is true while it runs, and a second call is ignored meanwhile. `run`
 * resolves to the result of `act`, or to null after a failure, with the error in `error`. An action that creates a
 * record names the `list` that shows it: if the response is lost, people are sent there before they create it twice.
 */
export function useSave<A extends unknown[], T>(
  act: (...input: A) => Promise<T>,
  { list = null }: { list?: string | null } = {}
) {
  const saving = ref(false)
  const error = shallowRef<ApiError | null>(null)

  async function run(...input: A): Promise<T | null> {
    if (saving.value) return null
    saving.value = true
    error.value = null
    try {
      return await act(...input)
    } catch (thrown) {
      error.value = Object.assign(toApiError(thrown), { list })
      return null
    } finally {
      saving.value = false
    }
  }
  return { saving, error, run }
}
