import texts from '#build/staff-texts.mjs'

const loaders: Record<string, (() => Promise<{ default: object[] }>) | undefined> = texts

/** Loads the clinic's texts in the current language, and in each language that is chosen later. */
export async function useStaffTexts() {
  const nuxt = useNuxtApp()
  const loaded = useState<string[]>('staff-texts', () => [])
  await useStaffI18n()
  const { $i18n } = nuxt

  async function load(locale: string) {
    if (loaded.value.includes(locale) && !import.meta.server) return
    const found = await loaders[locale]?.()
    for (const part of found?.default ?? []) $i18n.mergeLocaleMessage(locale, part)
    if (!import.meta.server) loaded.value = [...loaded.value, locale]
  }

  await load($i18n.locale.value)
  return { load }
}
