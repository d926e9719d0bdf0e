/**
 * What starter treatments are taxed at, as of 2026. Healing is exempt nearly everywhere; what only beautifies has the
 * standard rate. A suggestion: the clinic changes it where its own law says otherwise.
 */
const STANDARD: Record<string, string> = {
  AT: '20', BE: '21', BG: '20', CY: '19', CZ: '21', DE: '19', DK: '25', EE: '24', ES: '21', FI: '25.5', FR: '20',
  GR: '24', HR: '25', HU: '27', IE: '23', IT: '22', LT: '21', LU: '17', LV: '21', MT: '18', NL: '21', PL: '23',
  PT: '23', RO: '21', SE: '25', SI: '22', SK: '23',
  CH: '8.1', GB: '20', IS: '24', LI: '8.1', NO: '25', RS: '20', TR: '20', UA: '20',
  AE: '5', BH: '10', DZ: '19', EG: '14', IL: '18', JO: '16', MA: '20', OM: '5', SA: '15', TN: '19',
  AR: '21', AU: '10', CA: '5', CL: '19', CO: '19', MX: '16', NZ: '15', PE: '18', UY: '22', ZA: '15'
}
/** Where healing is taxed as well. */
const HEALTH_CARE: Record<string, string> = { IL: '18', NZ: '15', SA: '15', TR: '10', ZA: '15' }

/** A percentage, `0` for a country that is unknown. */
export const vatOf = ({ country, cosmetic }: { country: string | null, cosmetic: boolean }): string =>
  (cosmetic ? STANDARD : HEALTH_CARE)[country ?? ''] ?? '0'
