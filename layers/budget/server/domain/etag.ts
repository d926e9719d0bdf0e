/** The strong entity tag of a budget that was edited this many times. */
export const etag = (edit: number) => `"${edit}"`

/** RFC 9110 13.1.1; weak marks are ignored, since a proxy that compresses adds them. True without a header. */
export function matches(edit: number, ifMatch: string | undefined): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true
  return ifMatch.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag(edit))
}
