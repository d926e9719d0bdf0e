import type { Screen } from '../../../shared/auth.ts'

/** How screens look for the signed-in person and their clinic. Shared by the whole application. */
export function usePreferences() {
  /** The clinic's accent colour, `#rrggbb`. */
  const accent = useState<string | null>('session-accent', () => null)
  /** Whether this clinic's prices are typed and shown with tax. */
  const pricesIncludeTax = useState<boolean>('session-prices-include-tax', () => false)
  /** By module, the clinic's settings that its screens need. */
  const moduleSettings = useState<Screen['settings']>('session-module-settings', () => ({}))
  const country = useState<string | null>('session-country', () => null)
  /** Whether the clinic's home page still shows the first steps. */
  const firstSteps = useState<boolean>('session-first-steps', () => false)
  const language = useAccountLanguage()

  function setPreferences(screen: Screen) {
    accent.value = screen.accent_color
    pricesIncludeTax.value = screen.prices_include_tax
    moduleSettings.value = screen.settings
    country.value = screen.country
    firstSteps.value = screen.first_steps
    language.value = screen.language
  }

  return { accent, pricesIncludeTax, moduleSettings, country, firstSteps, setPreferences }
}
