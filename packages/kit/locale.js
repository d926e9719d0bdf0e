export function displayLocale(locale) {
  // Plain "pt" means Brazil to Intl; our texts are those of Portugal.
  if (locale === 'pt') return 'pt-PT'
  // Codes, phone numbers and teeth are in Latin digits, so prices and dates are too; browsers differ in what plain "ar" means.
  return /^ar\b(?!.*-u-)/.test(locale) ? `${locale}-u-nu-latn` : locale
}
