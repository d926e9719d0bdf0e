import { matchesEtag } from '@svc/kit'

/**
 * Whether `If-None-Match` names this version (RFC 9110 13.1.2: weak comparison). Its contrary has the same syntax, but
 * holds without the header.
 */
export const isNotModified = (version: number, if_none_match: string | undefined): boolean =>
  if_none_match !== undefined && matchesEtag(version, if_none_match)
