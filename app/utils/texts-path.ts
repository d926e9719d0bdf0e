/** Set by @nuxtjs/i18n at build time. */
declare const __I18N_SERVER_ROUTE__: string
declare const __I18N_LOCALE_HASHES__: Record<string, string>

/** The URL of the public texts of a language. */
export const textsPath = (locale: string) =>
  `${__I18N_SERVER_ROUTE__}/${__I18N_LOCALE_HASHES__[locale]}/${locale}/messages.json`
