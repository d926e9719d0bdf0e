/** The language that someone chose for the clinic's screens, kept for a year. */
export const useChosenLanguage = () =>
  useCookie<string | null>('svc_language', { maxAge: 365 * 86_400, sameSite: 'lax', path: '/' })
