/** The screen language that the signed-in user chose, kept in the account. */
export const useAccountLanguage = () => useState<string | null>('account-language', () => null)
