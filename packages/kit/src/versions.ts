/**
 * Whether the text is a UUID. Treat a malformed id as unknown, like one of another clinic, without querying the
 * database.
 */
export const isId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** The strong entity tag of a row with this version. */
export const etagOf = (version: number): string => `"${version}"`

/**
 * Whether `If-Match` allows a change of this version (RFC 9110 13.1.1). It does when the header is absent. Weak marks
 * are ignored, since a proxy that compresses adds them.
 */
export function matchesEtag(version: number, if_match: string | undefined): boolean {
  if (if_match === undefined || if_match.trim() === '*') return true
  return if_match.split(',').some(tag => tag.trim().replace(/^W\//, '') === etagOf(version))
}
