import { pluralRule } from '../../i18n/plural-rule.ts'

export type Texts = { [key: string]: Texts | string }
type Values = Record<string, unknown>
/** Like vue-i18n's `t`, limited to what public texts need. A number chooses the plural form and replaces `{n}`. */
export type Translate = (key: string, values?: Values | number, count?: number) => string

/** Translates texts with names in braces, and with plural forms separated by bars. */
export function translateWith(texts: Texts, language: string): Translate {
  const formOf = pluralRule(language)
  return (key, given = {}, count = typeof given === 'number' ? given : -1) => {
    const text = key.split('.').reduce<Texts | string | undefined>((at, name) => (at as Texts | undefined)?.[name], texts)
    if (typeof text !== 'string') return key
    const forms = text.split('|')
    const form = forms[forms.length > 1 ? formOf(count, forms.length, usualForm) : 0]!.trim()
    const values: Values = { n: count, count, ...(given as Values) }
    return form.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
  }
}

/** The plural rule of a text with fewer forms than its language: one, more; or none, one, more. */
const usualForm = (count: number, forms: number) => forms === 2 ? Number(count !== 1) : Math.min(count, 2)
