import { createHash, randomBytes } from 'node:crypto'
import type { Logger } from '@svc/kit'
import type { Config } from '../config.ts'
import { explainFetch } from '../fetch-error.ts'

/** For all steps together: name resolution, connecting, sending, reading. */
const TIME_LIMIT_MS = 5000
/**
 * After a timeout, no request waits again for this long: of a hundred acceptances at once, each would cost a worker the
 * whole time limit.
 */
const SILENCE_MS = 30_000
/**
 * The largest answer in bytes, and the space that a seal reserves for it. Authorities with three certificates need
 * about 8,000.
 */
export const MAX_TOKEN_BYTES = 16_384

const OID = {
  sha256: '2.16.840.1.101.3.4.2.1',
  signed_data: '1.2.840.113549.1.7.2',
  tst_info: '1.2.840.113549.1.9.16.1.4',
  extended_key_usage: '2.5.29.37',
  time_stamping: '1.3.6.1.5.5.7.3.8'
}

/**
 * Returns the token's DER (a ContentInfo, RFC 3161 2.4.2) over a signature value; null if there is none. Never throws,
 * and never takes long.
 */
export type TimeStamps = (signature: Uint8Array) => Promise<Uint8Array | null>

/** Null if no authority is configured. */
export function createTimeStamps({ tsa_url }: Pick<Config, 'tsa_url'>, log: Logger): TimeStamps | null {
  if (!tsa_url) return null
  const { host } = new URL(tsa_url)
  let silent_until = 0

  return async function stamp(signature) {
    if (performance.now() < silent_until) {
      log.warn('time_stamp.not_asked', { host, why: 'it did not answer a moment ago' })
      return null
    }
    const timeout = AbortSignal.timeout(TIME_LIMIT_MS)
    try {
      const query = await makeQuery(signature)
      return await readToken(await ask(tsa_url, query.der, timeout), { signature, nonce: query.nonce })
    } catch (error) {
      if (timeout.aborted) silent_until = performance.now() + SILENCE_MS
      log.warn('time_stamp.failed', {
        host,
        error: timeout.aborted ? `no answer within ${TIME_LIMIT_MS / 1000} s` : explainFetch(error)
      })
      return null
    }
  }
}

async function makeQuery(signature: Uint8Array): Promise<{ der: ArrayBuffer, nonce: bigint }> {
  const [pkijs, asn1js] = await Promise.all([import('pkijs'), import('asn1js')])
  const nonce = randomBytes(8).readBigUInt64BE()
  const query = new pkijs.TimeStampReq({
    version: 1,
    messageImprint: new pkijs.MessageImprint({
      hashAlgorithm: new pkijs.AlgorithmIdentifier({ algorithmId: OID.sha256, algorithmParams: new asn1js.Null() }),
      hashedMessage: new asn1js.OctetString({ valueHex: sha256(signature) })
    }),
    nonce: asn1js.Integer.fromBigInt(nonce),
    certReq: true
  })
  return { der: query.toSchema().toBER(), nonce }
}

/** Only calls the configured address: a redirect is a failure. */
async function ask(url: string, query: ArrayBuffer, signal: AbortSignal): Promise<Uint8Array> {
  const { target, authorization } = withoutPassword(url)
  const response = await fetch(target, {
    method: 'POST',
    headers: {
      'content-type': 'application/timestamp-query',
      'accept': 'application/timestamp-reply',
      ...authorization
    },
    body: query,
    redirect: 'manual',
    signal
  })
  if (response.status === 200) return await readBounded(response)
  await response.body?.cancel()
  throw new Error(`it answered ${response.status}`)
}

/** fetch refuses a URL with a password, so an authority that needs one gets it as a header. */
function withoutPassword(url: string): { target: URL, authorization: Record<string, string> } {
  const target = new URL(url)
  const { username, password } = target
  if (!username && !password) return { target, authorization: {} }
  target.username = target.password = ''
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  return { target, authorization: { authorization: `Basic ${credentials}` } }
}

async function readBounded(response: Response): Promise<Uint8Array> {
  const read: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    read.push(chunk as Uint8Array)
    bytes += (chunk as Uint8Array).length
    if (bytes > MAX_TOKEN_BYTES) throw new Error(`its answer is longer than ${MAX_TOKEN_BYTES} bytes`)
  }
  return Buffer.concat(read)
}

interface TimeStampRequest { signature: Uint8Array, nonce: bigint }

/**
 * Accepts only the token that answers this request: granted, over this signature, with our nonce, signed by a
 * certificate for time stamps. Whether to trust its authority is up to the reader of the document.
 */
async function readToken(answer: Uint8Array, asked: TimeStampRequest): Promise<Uint8Array> {
  const pkijs = await import('pkijs')
  const { status, timeStampToken } = parse(() => pkijs.TimeStampResp.fromBER(new Uint8Array(answer)))
  const granted = status.status === pkijs.PKIStatus.granted || status.status === pkijs.PKIStatus.grantedWithMods
  if (!granted) throw new Error(`it refused with status ${status.status}`)
  if (timeStampToken?.contentType !== OID.signed_data) throw new Error('its answer has no token')
  // Some authorities encode lengths in BER, but a PDF needs DER. All checks below apply to the bytes that will be
  // embedded.
  const content = parse(() => new pkijs.SignedData({ schema: timeStampToken.content })).toSchema()
  const der = new Uint8Array(new pkijs.ContentInfo({ contentType: OID.signed_data, content }).toSchema().toBER())
  await checkToken(der, asked)
  return der
}

async function checkToken(der: Uint8Array, { signature, nonce }: TimeStampRequest): Promise<void> {
  const pkijs = await import('pkijs')
  const signed = parse(() => new pkijs.SignedData({ schema: pkijs.ContentInfo.fromBER(new Uint8Array(der)).content }))
  if (signed.encapContentInfo.eContentType !== OID.tst_info) throw new Error('its token is not a time stamp')
  const info = parse(() => pkijs.TSTInfo.fromBER(signed.encapContentInfo.eContent!.getValue()))
  const { hashAlgorithm, hashedMessage } = info.messageImprint
  const covers
    = hashAlgorithm.algorithmId === OID.sha256 && sha256(signature).equals(hashedMessage.valueBlock.valueHexView)
  if (!covers) throw new Error('its token is for other data')
  if (info.nonce?.toBigInt() !== nonce) throw new Error('its token answers another request')
  await checkSigner(signed, signature)
}

async function checkSigner(
  signed: InstanceType<(typeof import('pkijs'))['SignedData']>,
  signature: Uint8Array
): Promise<void> {
  const { signatureVerified, signerCertificate } = await signed.verify({
    signer: 0,
    data: new Uint8Array(signature).buffer,
    extendedMode: true
  })
  if (!signatureVerified) throw new Error('the signature of its token is wrong')
  const usage = signerCertificate?.extensions?.find(({ extnID }) => extnID === OID.extended_key_usage)?.parsedValue as
    { keyPurposes: string[] } | undefined
  if (!usage?.keyPurposes.includes(OID.time_stamping)) throw new Error('its certificate is not for time stamps')
}

function parse<T>(read: () => T): T {
  try {
    return read()
  } catch {
    throw new Error('its answer is not a time stamp')
  }
}

const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest()
