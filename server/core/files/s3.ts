import { createHash, randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { Ctx } from '@svc/kit'
import type { ObjectStore } from '../config.ts'
import { explainFetch } from '../fetch-error.ts'
import { missing, assertKey, taken } from './key.ts'

const ATTEMPTS = 3
/** For one call with all its attempts and bodies: a person may be waiting for a download. */
const TIME_LIMIT_MS = 10_000
const FIRST_PAUSE_MS = 200
/** How many bytes of an error's body are read. */
const MAX_ERROR_LENGTH = 4000

/**
 * Documents in an S3 bucket, with the same keys as in the folder. Each is written only once here too: the request sends
 * `If-None-Match: *`, and an existing object is checked before, since some services ignore that header. Keys contain
 * the hash of their bytes, so that even two concurrent writers on such a service write the same.
 */
export function createS3(store: ObjectStore): Ctx['files'] {
  const call = (key: string, request: Request = {}) => send(store, `${addressOf(store)}/${key}`, request)

  async function find(key: string): Promise<Uint8Array | null> {
    const answer = await call(key)
    if (answer.status === 200) return answer.bytes
    if (answer.status === 404 && answer.code === 'NoSuchKey') return null // any other 404 means a wrong address
    throw refusal('read', key, answer)
  }

  /** False: the key is taken. */
  async function put(key: string, bytes: Uint8Array): Promise<boolean> {
    const headers = {
      'content-type': key.endsWith('.pdf') ? 'application/pdf' : 'application/octet-stream',
      'if-none-match': '*'
    }
    const answer = await call(key, { method: 'PUT', headers, body: new Uint8Array(bytes) })
    if (answer.status === 412) return false
    if (answer.status === 200 || answer.status === 201 || answer.status === 204) return true
    throw refusal('write', key, answer)
  }

  return {
    async writeOnce(key, bytes) {
      assertKey(key)
      const stored = await find(key)
      if (!stored && await put(key, bytes)) return
      const there = stored ?? await find(key)
      if (!there || !Buffer.from(bytes).equals(there)) throw taken(key)
    },
    async read(key) {
      assertKey(key)
      const bytes = await find(key)
      if (!bytes) throw missing(key)
      return bytes
    },
    list: folder => listNames(store, folder)
  }
}

/** A thousand names per call (ListObjectsV2). Deeper keys are listed as one name, their folder's. */
async function* listNames(store: ObjectStore, folder: string): AsyncGenerator<string[]> {
  if (folder !== '') assertKey(folder)
  const prefix = [store.prefix, folder].filter(part => part !== '').map(part => `${part}/`).join('')
  let token: string | undefined
  do {
    const query = new URLSearchParams({
      'list-type': '2',
      'delimiter': '/',
      prefix,
      ...(token ? { 'continuation-token': token } : {})
    })
    const answer = await send(store, `${addressOf({ ...store, prefix: '' })}/?${query.toString()}`, {})
    if (answer.status !== 200) throw refusal('list', folder || '/', answer)
    const text = Buffer.from(answer.bytes).toString()
    yield [...text.matchAll(LISTED)].map(([, key]) => key!.slice(prefix.length)).filter(name => name !== '')
    token = /<NextContinuationToken>([^<]+)</.exec(text)?.[1]
  } while (token !== undefined)
}

/**
 * Matches keys and folders. None of our names needs an XML escape, and an operator's prefix is the same in all of them.
 */
const LISTED = /<(?:Key|CommonPrefixes>\s*<Prefix)>([^<]*?)\/?<\//g

/**
 * Other services are addressed by path. At Amazon the bucket is part of the host name, unless its dots would break TLS.
 */
export function addressOf({
  bucket,
  prefix,
  endpoint,
  region
}: Pick<ObjectStore, 'bucket' | 'prefix' | 'endpoint' | 'region'>): string {
  const amazon = `s3.${region}.amazonaws.com`
  const base = endpoint
    ? `${endpoint}/${bucket}`
    : bucket.includes('.')
      ? `https://${amazon}/${bucket}`
      : `https://${bucket}.${amazon}`
  return prefix ? `${base}/${prefix}` : base
}

interface Request { method?: string, headers?: Record<string, string>, body?: Uint8Array<ArrayBuffer> }
interface Answer {
  status: number
  bytes: Uint8Array
  /** S3's error code, such as `AccessDenied`. */ code: string | null
}

/** Retried if the connection failed or the service had a temporary error. Each attempt is signed again. */
async function send(store: ObjectStore, url: string, request: Request): Promise<Answer> {
  const signal = AbortSignal.timeout(TIME_LIMIT_MS)
  for (let attempt = 1; ; attempt++) {
    const isLast = () => attempt === ATTEMPTS || signal.aborted
    try {
      const answer = await sendOnce(store, url, request, signal)
      if (isLast() || !isTransient(answer)) return answer
    } catch (error) {
      if (isLast()) throw new Error(`The object store did not answer: ${explainFetch(error)}`, { cause: error })
    }
    await pause(FIRST_PAUSE_MS * 4 ** (attempt - 1) * (0.5 + randomInt(500) / 1000))
  }
}

/** 409: another write of the same key was in progress. 501 is permanent. */
const isTransient = ({ status }: Answer) => (status >= 500 && status !== 501) || status === 429 || status === 409

/**
 * The library signs, but we send the request: its `Request` loses the time limit to garbage collection. Redirects are
 * not followed.
 */
async function sendOnce(
  store: ObjectStore,
  url: string,
  { method = 'GET', headers = {}, body }: Request,
  signal: AbortSignal
): Promise<Answer> {
  const signed = await new AwsV4Signer({
    url,
    method,
    body,
    headers: {
      'x-amz-content-sha256': createHash('sha256')
        .update(body ?? '')
        .digest('hex'),
      ...headers
    }, // the service verifies the received bytes
    accessKeyId: store.access_key_id,
    secretAccessKey: store.secret_access_key,
    sessionToken: store.session_token ?? undefined,
    service: 's3',
    region: store.region
  }).sign()
  const response = await fetch(signed.url, { method, headers: signed.headers, body, redirect: 'manual', signal })
  const bytes = new Uint8Array(await response.arrayBuffer())
  const code = response.ok
    ? null
    : (/<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(Buffer.from(bytes.subarray(0, MAX_ERROR_LENGTH)).toString())?.[1] ?? null)
  return { status: response.status, bytes, code }
}

/** Contains only the status and S3's code: its messages repeat key ids and the signed text. */
function refusal(verb: 'read' | 'write' | 'list', key: string, { status, code }: Answer): Error {
  const hint = status === 403 ? ' It must allow s3:GetObject, s3:PutObject and s3:ListBucket.' : ''
  return new Error(`The object store answered ${status}${code ? ` ${code}` : ''} to the ${verb} of ${key}.${hint}`)
}
