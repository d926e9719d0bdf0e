/** Set by @nuxtjs/i18n at the build. */
declare const __I18N_SERVER_ROUTE__: string
declare const __I18N_LOCALE_HASHES__: Record<string, string>

/** Where the public texts of a language are. */
export const textsPath = (locale: string) =>
  `${__I18N_SERVER_ROUTE__}/${__I18N_LOCALE_HASHES__[locale]}/${locale}/messages.json`
