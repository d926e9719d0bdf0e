/** The language that a page prefers when the address asks for none. Awaited before the first text, so that the server answers in it. */
export async function useReaderLanguage(preferred: string | null | undefined) {
  const { locale, localeCodes, setLocale } = useI18n()
  const asked = useRoute().query.locale
  const spoken = (code: unknown) => localeCodes.value.find(known => known === code)

  const code = spoken(asked) ? undefined : spoken(preferred)
  if (code && code !== locale.value) await setLocale(code)
}
