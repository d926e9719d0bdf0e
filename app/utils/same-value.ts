/**
 * Whether two JSON values are equal. The order of members is ignored, because a form and the server may use different
 * ones.
 */
export const sameValue = (one: unknown, other: unknown): boolean => inOrder(one) === inOrder(other)

const inOrder = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part
  )
