/** The languages as entries of a menu. The texts of the one that is chosen are there before the page speaks it. */
export async function useLanguageMenu() {
  const { locale, locales, setLocale } = useI18n()
  const chosen = useChosenLanguage()
  const { load } = await useStaffTexts()

  async function choose(code: typeof locale.value) {
    chosen.value = code
    await load(code)
    await setLocale(code)
  }
  return computed(() => locales.value.map(({ code, name }) => ({
    label: name ?? code, type: 'checkbox' as const, checked: code === locale.value, onSelect: () => void choose(code)
  })))
}
