/** The screen language that was chosen in this browser, kept in a cookie for a year. */
export const useChosenLanguage = () =>
  useCookie<string | null>('svc_language', { maxAge: 365 * 86_400, sameSite: 'lax', path: '/' })
