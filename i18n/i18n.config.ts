import { pluralRule } from './plural-rule.ts'

/** Of public and staff pages alike. */
export default {
  pluralRules: Object.fromEntries(
    ['en', 'es', 'fr', 'de', 'pt', 'ar'].map(language => [language, pluralRule(language)])
  )
}
