/**
 * The language of a public page: what the address asks for (`?locale=es`), else what the page prefers.
 * Awaited before the first text is drawn, so that the server answers in it too.
 */
export async function useReaderLanguage(preferred: () => string | null | undefined) {
  const { locale, localeCodes, setLocale } = useI18n()
  const route = useRoute()

  const wanted = () => [route.query.locale, preferred()].find(code => localeCodes.value.includes(code))
  const apply = async () => {
    const code = wanted() as typeof locale.value | undefined
    if (code && code !== locale.value) await setLocale(code)
  }

  watch(() => route.query.locale, apply)
  await apply()
}
