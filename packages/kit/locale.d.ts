/** The locale that `Intl` gets wherever numbers, money and dates are written for readers of `locale`: page, PDF and mail alike. */
export function displayLocale(locale: string): string
