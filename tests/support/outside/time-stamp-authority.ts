import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import * as asn1js from 'asn1js'
import * as pkijs from 'pkijs'
import { aCertificate, type Made } from './certificates.ts'

export const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'

type Answer = (response: ServerResponse, query: Buffer, request: IncomingMessage) => void

/** A time-stamping authority on loopback: `openssl ts` behind HTTP. Its answers are correct by default. */
export interface Authority {
  url: string
  /** The queries that it got. */
  queries: { body: Buffer, headers: IncomingMessage['headers'] }[]
  /** The answer (DER) of `openssl ts` for a query. */
  reply (query: Buffer): Buffer
  /** Null for a correct answer. */
  answer: Answer | null
  root: Made
  close (): Promise<void>
}

export async function anAuthority(): Promise<Authority> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-tsa-'))
  const root = await aCertificate({ name: 'TSA Root', ca: true })
  const signer = await aCertificate({ name: 'Test TSA', issuer: root, purposes: [TIME_STAMPING], kind: 'RSA-2048' })
  const put = (name: string, text: string | Uint8Array) => writeFileSync(join(folder, name), text)
  put('tsa.pem', signer.certificate)
  put('tsa.key', signer.key)
  put('chain.pem', root.certificate)
  put('serial', '01')
  put(
    'tsa.conf',
    [
      '[tsa]',
      'default_tsa = one',
      '[one]',
      `serial = ${folder}/serial`,
      'crypto_device = builtin',
      `signer_cert = ${folder}/tsa.pem`,
      `certs = ${folder}/chain.pem`,
      `signer_key = ${folder}/tsa.key`,
      'signer_digest = sha256',
      'default_policy = 1.2.3.4.1',
      'digests = sha256',
      'ess_cert_id_alg = sha256',
      ''
    ].join('\n')
  )

  function reply(query: Buffer): Buffer {
    put('query.tsq', query)
    execFileSync('openssl', ['ts', '-reply', '-config', 'tsa.conf', '-queryfile', 'query.tsq', '-out', 'reply.tsr'], {
      cwd: folder,
      stdio: 'pipe'
    })
    return readFileSync(join(folder, 'reply.tsr'))
  }

  const server = createServer(async (request, response) => {
    const query = await buffer(request)
    authority.queries.push({ body: query, headers: request.headers })
    if (authority.answer) authority.answer(response, query, request)
    else response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(reply(query))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()))

  const authority: Authority = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsr`,
    queries: [],
    reply,
    answer: null,
    root,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return authority
}

/** The same query with another nonce or hash. */
export function changeQuery(query: Buffer, { nonce, hash }: { nonce?: bigint | null, hash?: Buffer }): Buffer {
  const read = pkijs.TimeStampReq.fromBER(new Uint8Array(query))
  if (nonce) read.nonce = asn1js.Integer.fromBigInt(nonce)
  if (nonce === null) delete read.nonce
  if (hash) read.messageImprint.hashedMessage = new asn1js.OctetString({ valueHex: new Uint8Array(hash) })
  return Buffer.from(read.toSchema().toBER())
}

/**
 * The same statement, signed by another signer. `openssl ts` refuses to sign with a certificate that is not for time
 * stamps.
 */
export async function signedBy(reply: Buffer, signer: Made): Promise<Buffer> {
  const { status, timeStampToken } = pkijs.TimeStampResp.fromBER(new Uint8Array(reply))
  const { encapContentInfo } = new pkijs.SignedData({ schema: timeStampToken!.content })
  const statement = new Uint8Array(encapContentInfo.eContent!.getValue())
  const certificate = pkijs.Certificate.fromBER(new Uint8Array(signer.x509.rawData))
  const attribute = (type: string, value: unknown) => new pkijs.Attribute({ type, values: [value] })
  const signed = new pkijs.SignedData({
    version: 3,
    encapContentInfo: new pkijs.EncapsulatedContentInfo({
      eContentType: '1.2.840.113549.1.9.16.1.4',
      eContent: new asn1js.OctetString({ valueHex: statement })
    }),
    certificates: [certificate],
    signerInfos: [
      new pkijs.SignerInfo({
        version: 1,
        sid: new pkijs.IssuerAndSerialNumber({ issuer: certificate.issuer, serialNumber: certificate.serialNumber }),
        signedAttrs: new pkijs.SignedAndUnsignedAttributes({
          type: 0,
          attributes: [
            attribute('1.2.840.113549.1.9.3', new asn1js.ObjectIdentifier({ value: '1.2.840.113549.1.9.16.1.4' })),
            attribute(
              '1.2.840.113549.1.9.4',
              new asn1js.OctetString({ valueHex: new Uint8Array(createHash('sha256').update(statement).digest()) })
            )
          ]
        })
      })
    ]
  })
  await signed.sign(signer.keys.privateKey, 0, 'SHA-256')
  const token = new pkijs.ContentInfo({ contentType: '1.2.840.113549.1.7.2', content: signed.toSchema(true) })
  return Buffer.from(new pkijs.TimeStampResp({ status, timeStampToken: token }).toSchema().toBER())
}

/**
 * The same answer with lengths that BER allows and DER does not, and the statement in parts, as some authorities encode
 * it.
 */
export function toBer(reply: Buffer): Buffer {
  const { result } = asn1js.fromBER(new Uint8Array(reply))
  const inside = (block: any, ...path: number[]) => path.reduce((at, index) => at.valueBlock.value[index], block)
  // TimeStampResp → token → [0] → SignedData → encapContentInfo → [0] → OCTET STRING
  for (const path of [[1], [1, 1], [1, 1, 0], [1, 1, 0, 2], [1, 1, 0, 2, 1]])
    inside(result, ...path).lenBlock.isIndefiniteForm = true
  const place = inside(result, 1, 1, 0, 2, 1)
  const statement = new Uint8Array(place.valueBlock.value[0].getValue())
  const pieces = [statement.subarray(0, 50), statement.subarray(50)].map(
    valueHex => new asn1js.OctetString({ valueHex: new Uint8Array(valueHex) })
  )
  place.valueBlock.value = [
    new asn1js.OctetString({
      idBlock: { isConstructed: true },
      isConstructed: true,
      value: pieces,
      lenBlock: { isIndefiniteForm: true }
    } as any)
  ]
  return Buffer.from(result.toBER())
}
