/** What an error says to people: our own sentence in their language where there is one, else the server's. */
export function useProblemText() {
  const { t, te } = useI18n()
  return (error: ApiError) => {
    const key = `problem.${error.code}`
    if (te(key)) return t(key)
    return error.problem.detail || t('problem.internal_error')
  }
}
