/**
 * The languages as menu items. The choice is kept in the account of a signed-in user, else in the browser. The texts
 * are loaded before the page switches to them.
 */
export async function useLanguageMenu() {
  const { locale, locales, setLocale } = useI18n()
  const account = useAccountLanguage()
  const chosen = useChosenLanguage()
  const { me } = useSession()
  const { load } = await useStaffTexts()
  const { run: save, error } = useSave((code: string) => send('PATCH', '/api/v1/me', { body: { locale: code } }))

  async function choose(code: typeof locale.value) {
    if (me.value) account.value = code
    else chosen.value = code
    await load(code)
    await setLocale(code)
    if (me.value) await save(code)
  }
  const items = computed(() => locales.value.map(({ code, name }) => ({
    label: name ?? code, type: 'checkbox' as const, checked: code === locale.value, onSelect: () => void choose(code)
  })))
  return { items, error }
}
