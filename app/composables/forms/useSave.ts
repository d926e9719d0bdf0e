/**
 * One action that changes something: says that it runs, keeps what stood in its way, refuses to run twice at once.
 * `run` resolves to what `act` answered, or null when it was refused; then `error` holds why. What makes something new
 * names the `list` that shows it: when the answer is lost, people are sent there before they make it twice.
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
