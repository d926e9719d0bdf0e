import { matchesEtag } from '@svc/kit'

/**
 * Whether `If-None-Match` names this version (RFC 9110 13.1.2: weak comparison). `If-Match` has the same syntax, but
 * without the header its condition is true.
 */
export const isNotModified = (version: number, if_none_match: string | undefined): boolean =>
  if_none_match !== undefined && matchesEtag(version, if_none_match)
