import type { NuxtApp } from '#app'
import type { PageTexts } from '../composables/texts/useI18n.ts'
import type { Texts, Translate } from '../utils/translate.ts'

/** `$i18n` of public pages in the browser, until a page of the clinic loads vue-i18n (see build/public-texts.ts). */
export default defineNuxtPlugin(async (nuxt) => {
  const texts = publicTexts()
  Object.defineProperty(nuxt, '$i18n', { get: () => texts, configurable: true })
  // Hydrates what the server rendered in the server's language.
  if (nuxt.payload.serverRendered) await texts.setLocale(document.documentElement.lang as 'en')
})

function publicTexts(): PageTexts {
  const known = useRuntimeConfig().public.i18n.locales as NuxtApp['$i18n']['locales']['value']
  const codes: string[] = known.map(({ code }) => code)
  const locale = ref('')
  const translate = shallowRef<Translate>(key => key)

  async function setLocale(code: string) {
    try {
      const response = await fetch(textsPath(code))
      const texts = await response.json() as Texts
      translate.value = translateWith(texts[code] as Texts, code)
    } catch (error) {
      console.warn(error) // the page keeps the texts that it has
    }
    locale.value = code
  }

  return {
    locale,
    locales: computed(() => known),
    localeCodes: computed(() => codes),
    localeProperties: computed(() => known.find(({ code }) => code === locale.value)),
    t: (...given: Parameters<Translate>) => translate.value(...given),
    te: (key: string) => translate.value(key) !== key,
    setLocale,
    getBrowserLocale: () => navigator.languages.map(tag => tag.split('-')[0]!).find(tag => codes.includes(tag))
  } as unknown as PageTexts // vue-i18n's types have the exact languages and more overloads
}
