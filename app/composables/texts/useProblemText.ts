/** What an error says to people: the module's own sentence in their language, else one for all, else the server's. */
export function useProblemText() {
  const { t, te } = useI18n()
  return (error: ApiError) => {
    const key = error.textKeys.find(one => te(one))
    return key ? t(key) : error.problem.detail || t('problem.internal_error')
  }
}
