/** Short names of the months that `Intl` lacks, one list per month from January. */
export const MONTH_WORDS: readonly (readonly string[])[]
/** What programs write for a missing date, without the time after it. */
export const NO_DATES: readonly string[]
