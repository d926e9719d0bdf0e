import { createHash, createHmac } from 'node:crypto'

interface Signed {
  method: string
  /** Path and query as they were sent. */ path: string
  headers: Record<string, string | string[] | undefined>
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/**
 * The signature that a request should have, after Amazon's description of version 4 ("Authenticating Requests: Using
 * the Authorization Header"). S3rver does not look at signatures of this version.
 */
export function signatureOf({ method, path, headers }: Signed, secret: string): { expected: string, found: string } {
  const [, scope, names, found] = /Credential=[^/]+\/(\S+), ?SignedHeaders=(\S+), ?Signature=(\w+)/.exec(
    headers.authorization as string
  )!
  const [date, region, service] = scope!.split('/')
  const [where, query = ''] = path.split('?')
  const canonical = [
    method,
    where,
    query
      .split('&')
      .filter(Boolean)
      .map(pair => (pair.includes('=') ? pair : `${pair}=`))
      .sort()
      .join('&'),
    ...names!.split(';').map(name => `${name}:${String(headers[name]).trim()}`),
    '',
    names!,
    headers['x-amz-content-sha256']
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = [region!, service!, 'aws4_request'].reduce(hmac, hmac(`AWS4${secret}`, date!))
  return { expected: hmac(key, text).toString('hex'), found: found! }
}
