export const MONTH_WORDS: readonly (readonly string[])[]
export const NO_DATES: readonly string[]
