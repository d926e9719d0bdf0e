import { etagOf, problem, reply, type ModuleRequest } from '@svc/kit'
import { isNotModified } from '../http/etag.ts'
import type { Host } from '../host.ts'
import { findLogo } from './clinic.ts'

/** The URL contains the version, so that the answer can be cached for ever. */
export async function sendLogo({ db }: Host, id: string, version: string | undefined, request: ModuleRequest) {
  const logo = await findLogo(db, id)
  if (!logo) throw problem('not_found')
  const headers = {
    'etag': etagOf(logo.version),
    'content-type': logo.type,
    'cache-control': version === String(logo.version) ? 'public, max-age=31536000, immutable' : 'no-cache',
    'content-security-policy': 'default-src \'none\''
  }
  return isNotModified(logo.version, request.headers['if-none-match'])
    ? reply({ status: 304, headers })
    : reply({ headers, body: logo.bytes })
}
