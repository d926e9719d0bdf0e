/** Of a text in several languages the one of the page, else the clinic's, else any. */
export function useInLanguage() {
  const { locale } = useI18n()
  const { me } = useSession()
  return (texts: Record<string, string>) =>
    texts[locale.value] ?? texts[me.value?.clinic?.locale.split('-')[0] ?? ''] ?? Object.values(texts)[0] ?? ''
}
