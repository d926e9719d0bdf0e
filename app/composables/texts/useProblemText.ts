/** The text for an error: the module's own text in the page's language, else a general one, else the server's. */
export function useProblemText() {
  const { t, te } = useI18n()
  return (error: ApiError) => {
    const key = error.textKeys.find(one => te(one))
    if (!key) return error.problem.detail || t('problem.internal_error')
    return t(key, { module: String(error.problem.module ?? '') })
  }
}
