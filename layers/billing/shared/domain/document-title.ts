export const DOCUMENT_TITLES = ['invoice', 'pro_forma', 'credit_note'] as const

/** In Spain, the kind of taxpayer decides from which day the rules for invoicing programs apply. */
export const TAXPAYERS = ['company', 'other'] as const
export type Taxpayer = typeof TAXPAYERS[number]

/**
 * Why a document is titled "Pro forma": `certified_program` in Portugal, `verifactu` in Spain (docs/countries.md),
 * `no_tax_number` if the clinic has none.
 */
export const PRO_FORMA_REASONS = ['no_tax_number', 'certified_program', 'verifactu'] as const
export type ProFormaReason = typeof PRO_FORMA_REASONS[number]

interface Rule {
  reason: ProFormaReason
  /** The first day on which billing may title nothing "Invoice". */
  from: Record<Taxpayer, string>
}

const ALWAYS = '0001-01-01'

/** By country. Countries that are missing allow invoices. docs/countries.md names the sources. */
const RULES: Record<string, Rule> = {
  PT: { reason: 'certified_program', from: { company: ALWAYS, other: ALWAYS } },
  ES: { reason: 'verifactu', from: { company: '2027-01-01', other: '2027-07-01' } }
}

/** Null if the country has no such rule. `from` is null if the rule has always applied. */
export function countryRule(
  country: string | null,
  taxpayer: Taxpayer
): { reason: ProFormaReason, from: string | null } | null {
  const rule = country === null ? undefined : RULES[country]
  if (!rule) return null
  const from = rule.from[taxpayer]
  return { reason: rule.reason, from: from === ALWAYS ? null : from }
}

/**
 * Why a document that is issued on this day in the clinic's zone (`YYYY-MM-DD`) must be titled "Pro forma". Null if it
 * may be an invoice.
 */
export function proFormaReason({ country, tax_number, taxpayer, day }: {
  country: string | null
  tax_number: string | null
  taxpayer: Taxpayer
  day: string
}): ProFormaReason | null {
  const rule = countryRule(country, taxpayer)
  if (rule && (rule.from === null || day >= rule.from)) return rule.reason
  return tax_number === null ? 'no_tax_number' : null
}
