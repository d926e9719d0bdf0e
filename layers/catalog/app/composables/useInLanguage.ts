/** Returns a translated text in the page's language, else in the clinic's, else in any. */
export function useInLanguage() {
  const { locale } = useI18n()
  const { me } = useSession()
  return (texts: Record<string, string>) =>
    texts[locale.value] ?? texts[me.value?.clinic?.locale.split('-')[0] ?? ''] ?? Object.values(texts)[0] ?? ''
}
