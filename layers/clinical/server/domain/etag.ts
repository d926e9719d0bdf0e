export const etag = (version: number) => `"${version}"`

/** RFC 9110 13.1.1; weak marks are ignored, since a proxy that compresses adds them. True without a header. */
export function matches(version: number, ifMatch: string | undefined): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true
  return ifMatch.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag(version))
}
