/** The language that the signed-in account chose for its screens. */
export const useAccountLanguage = () => useState<string | null>('account-language', () => null)
