/** Short forms of the months besides those of `Intl`, by month from January on. */
export const MONTH_WORDS: readonly (readonly string[])[]
/** What programs write for no date, without a time behind it. */
export const NO_DATES: readonly string[]
