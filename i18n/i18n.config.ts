import { findText } from './find-text.ts'
import { pluralRule } from './plural-rule.ts'

/** Of public and staff pages alike. */
export default {
  messageResolver: findText,
  pluralRules: Object.fromEntries(
    ['en', 'es', 'fr', 'de', 'pt', 'ar'].map(language => [language, pluralRule(language)])
  )
}
