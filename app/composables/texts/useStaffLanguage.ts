/**
 * Sets the language once the person is known: the account's language, else the one chosen in this browser, else the
 * browser's, else the clinic's.
 */
export function useStaffLanguage() {
  const nuxt = useNuxtApp()
  const account = useAccountLanguage()
  const chosen = useChosenLanguage()
  const { me } = useSession()

  async function speak(asked: unknown) {
    const { getBrowserLocale, locale, setLocale } = nuxt.$i18n
    const clinics = me.value?.clinic?.locale.split('-')[0]
    const code = wantedLanguage(nuxt, [asked, account.value, chosen.value, getBrowserLocale(), clinics])
    if (!code || code === locale.value) return
    const { load } = await useStaffTexts()
    await load(code)
    await setLocale(code)
  }
  return { speak }
}
