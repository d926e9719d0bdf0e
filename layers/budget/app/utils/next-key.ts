let keys = 0
/** Returns a new key that identifies a line, choice or option while it is moved in a form. */
export const nextKey = (): number => ++keys
