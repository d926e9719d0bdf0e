import { displayLocale } from '@svc/kit/locale'

type Rule = (count: number, given: number, plain?: (count: number, given: number) => number) => number

const ORDER: readonly Intl.LDMLPluralRule[] = ['zero', 'one', 'two', 'few', 'many', 'other']
const rulesOf = (language: string) => new Intl.PluralRules(displayLocale(language))

/**
 * The forms of a text with a number, as they stand in it from left to right. A `many` that is for millions only (es,
 * fr, pt) is left out.
 */
export function pluralForms(language: string): Intl.LDMLPluralRule[] {
  const own = rulesOf(language).resolvedOptions().pluralCategories
  return ORDER.filter(form => own.includes(form) && (form !== 'many' || own.includes('few')))
}

/**
 * Which form a number takes. A form more than the language has stands first and is for none; a text with fewer is read
 * as vue-i18n would.
 */
export function pluralRule(language: string): Rule {
  const rules = rulesOf(language)
  const forms = pluralForms(language)
  return (count, given, plain) => {
    const more = given - forms.length
    if (more < 0) return plain?.(count, given) ?? 0
    if (more > 0 && count === 0) return 0
    const form = forms.indexOf(rules.select(count))
    return more + (form < 0 ? forms.length - 1 : form)
  }
}
