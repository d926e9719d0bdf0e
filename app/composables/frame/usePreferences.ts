import type { Screen } from '../../../shared/auth.ts'
import type { Clinic } from '../../../shared/clinic.ts'

/** How the screens are drawn for the signed-in person and their clinic. One for the whole application. */
export function usePreferences() {
  /** The clinic's accent colour, `#rrggbb`. */
  const accent = useState<string | null>('session-accent', () => null)
  /** Whether prices are typed and shown with tax in this clinic. */
  const pricesIncludeTax = useState<boolean>('session-prices-include-tax', () => false)
  /** How this clinic numbers teeth. */
  const toothNotation = useState<Clinic['tooth_notation']>('session-tooth-notation', () => 'fdi')
  const country = useState<string | null>('session-country', () => null)
  /** Whether the clinic still has its checklist. */
  const firstSteps = useState<boolean>('session-first-steps', () => false)
  const language = useAccountLanguage()

  function setPreferences(screen: Screen) {
    accent.value = screen.accent_color
    pricesIncludeTax.value = screen.prices_include_tax
    toothNotation.value = screen.tooth_notation
    country.value = screen.country
    firstSteps.value = screen.first_steps
    language.value = screen.language
  }

  return { accent, pricesIncludeTax, toothNotation, country, firstSteps, setPreferences }
}
