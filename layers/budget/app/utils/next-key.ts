let keys = 0
/** Which line, choice or option it is while it moves in a form. */
export const nextKey = (): number => ++keys
