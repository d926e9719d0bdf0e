import { SetUp, SetupHints, type CountryHints, type SetupRequest } from '../../shared/setup.ts'

export const SETUP_STEPS = ['code', 'clinic', 'admin', 'catalogue', 'done'] as const
export type SetupStep = typeof SETUP_STEPS[number]
/** The country is an empty text until one is chosen. */
export type SetupForm = Required<Omit<SetupRequest, 'clinic'>> & {
  clinic: Required<Omit<SetupRequest['clinic'], 'country'>> & { country: string }
}

/**
 * The steps of the first run. The answers are kept here and sent once, with the last step. The server stores nothing
 * before that, so a reload starts over.
 */
export function useSetup() {
  const { locale } = useI18n()
  const step = ref<SetupStep>('code')
  const countries = shallowRef<CountryHints[]>([])
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const form = reactive<SetupForm>({
    code: '',
    clinic: { name: '', country: '', currency: '', time_zone: zone, locale: locale.value, prices_include_tax: false },
    admin: { name: '', email: '', password: '' },
    catalogue: 'starter'
  })

  const check = useSave(async () => {
    const { data } = await send('POST', '/api/v1/setup/code', { body: { code: form.code }, answer: SetupHints })
    countries.value = data.countries
    if (!form.clinic.country) suggest(homeOf(data.countries))
    step.value = 'clinic'
  })
  const finish = useSave(async () => {
    const clinic = { ...form.clinic, country: form.clinic.country || null }
    await send('POST', '/api/v1/setup', { body: { ...form, clinic }, answer: SetUp })
    form.admin.password = ''
    step.value = 'done'
  })
  // Opens the step of the field that the server refused.
  watch(finish.error, (error) => {
    const part = error?.errors[0]?.pointer.split('/')[1]
    if (error?.code === 'setup_code_wrong') step.value = 'code'
    else if (part === 'clinic' || part === 'admin') step.value = part
  })

  /** Guesses the clinic's country from the browser's time zone, else from its language. */
  function homeOf(known: CountryHints[]): string {
    const region = new Intl.Locale(navigator.language).maximize().region
    const byZone = known.find(({ time_zones }) => time_zones.includes(zone))
    return (byZone ?? known.find(({ code }) => code === region))?.code ?? ''
  }

  function suggest(code: string) {
    form.clinic.country = code
    const country = countries.value.find(known => known.code === code)
    if (!country) return
    form.clinic.currency = country.currency
    form.clinic.time_zone = country.time_zones.includes(zone) ? zone : country.time_zones[0] ?? zone
    if (country.language) form.clinic.locale = country.language
  }
  return { form, step, countries, check, finish, suggest }
}
