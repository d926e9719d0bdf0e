/** An error's text for people: the module's sentence in their language, else a general one, else the server's. */
export function useProblemText() {
  const { t, te } = useI18n()
  return (error: ApiError) => {
    const key = error.textKeys.find(one => te(one))
    return key ? t(key) : error.problem.detail || t('problem.internal_error')
  }
}
