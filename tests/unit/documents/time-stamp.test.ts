import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import * as pkijs from 'pkijs'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTimeStamps } from '../../../server/core/documents/time-stamp.ts'
import { aCertificate, hasOpenssl, pkcs12Folder } from '../../support/outside/certificates.ts'
import {
  anAuthority,
  toBer,
  changeQuery,
  signedBy,
  TIME_STAMPING,
  type Authority
} from '../../support/outside/time-stamp-authority.ts'

let authority: Authority
beforeAll(async () => { authority = await anAuthority() })
afterEach(() => {
  authority.answer = null
  authority.queries.length = 0
})
afterAll(() => authority.close())

const signature = randomBytes(256)

function stamps(tsa_url: string = authority.url) {
  const told: Record<string, unknown>[] = []
  const warn = (name: string, fields: object = {}) => { told.push({ name, ...fields }) }
  const stamp = createTimeStamps({ tsa_url }, { warn } as any)!
  return { stamp, told }
}

const info = (token: Uint8Array) => {
  const signed = new pkijs.SignedData({ schema: pkijs.ContentInfo.fromBER(new Uint8Array(token)).content })
  return pkijs.TSTInfo.fromBER(signed.encapContentInfo.eContent!.getValue())
}

describe.runIf(hasOpenssl)('a time stamp', () => {
  it('is not requested when no authority is configured', () => {
    expect(createTimeStamps({ tsa_url: null }, {} as any)).toBeNull()
  })

  it('is a token over the signature value, requested with a nonce and with the certificate', async () => {
    const { stamp, told } = stamps()
    const token = await stamp(signature)
    expect(told).toEqual([])
    expect(Buffer.from(info(token!).messageImprint.hashedMessage.getValue())).toEqual(
      createHash('sha256').update(signature).digest()
    )
    const { body, headers } = authority.queries[0]!
    expect(headers).toMatchObject({
      'content-type': 'application/timestamp-query',
      'accept': 'application/timestamp-reply'
    })
    expect(pkijs.TimeStampReq.fromBER(new Uint8Array(body))).toMatchObject({ version: 1, certReq: true })
  })

  it('has another nonce each time', async () => {
    const { stamp } = stamps()
    const nonces = []
    for (let count = 0; count < 5; count++) {
      const token = await stamp(signature)
      nonces.push(info(token!).nonce!.toBigInt())
    }
    expect(new Set(nonces).size).toBe(5)
  })

  it('is stored in DER, even if the authority answers in BER', async () => {
    authority.answer = (response, query) => {
      const ber = toBer(authority.reply(query))
      expect(ber.includes(Buffer.from('3080', 'hex'))).toBe(true)
      response.end(ber)
    }
    const { stamp, told } = stamps()
    const token = await stamp(signature)
    expect(told).toEqual([])
    expect(Buffer.from(token!).subarray(0, 2).toString('hex')).toBe('3082')
    const folder = pkcs12Folder()
    try {
      const [data, file, root] = [
        folder.put('data', signature),
        folder.put('token', token!),
        folder.put('root.pem', authority.root.certificate)
      ]
      execFileSync('openssl', ['ts', '-verify', '-data', data, '-in', file, '-token_in', '-CAfile', root], {
        stdio: 'pipe'
      })
      execFileSync('openssl', ['asn1parse', '-inform', 'DER', '-in', file], { stdio: 'pipe' })
        .toString().split('\n').forEach(line => expect(line).not.toContain('l=inf'))
    } finally {
      folder.close()
    }
  })

  it('is requested with the password of the URL in a header only', async () => {
    const url = new URL(authority.url)
    url.username = 'clinic'
    url.password = 'p%40ss'
    expect(await stamps(url.href).stamp(signature)).not.toBeNull()
    expect(authority.queries[0]!.headers.authorization).toBe(`Basic ${Buffer.from('clinic:p@ss').toString('base64')}`)
  })
})

describe.runIf(hasOpenssl)('a time stamp is missing, with the reason in the log, when the authority', () => {
  const sends
    = (bytes: (query: Buffer) => Uint8Array, status = 200) =>
      (response: ServerResponse, query: Buffer) =>
        void response.writeHead(status).end(bytes(query))

  it.each<[string, (query: Buffer) => Uint8Array, string]>([
    ['answers with invalid data', () => Buffer.from('<html>hello</html>'), 'its answer is not a time stamp'],
    ['answers with an empty body', () => Buffer.alloc(0), 'its answer is not a time stamp'],
    ['answers with too many bytes', () => Buffer.alloc(20_000), 'its answer is longer than 16384 bytes'],
    ['refuses the request', () => Buffer.from('30053003020102', 'hex'), 'it refused with status 2'],
    ['grants the request without a token', () => Buffer.from('30053003020100', 'hex'), 'its answer has no token'],
    [
      'answers with another nonce',
      query => authority.reply(changeQuery(query, { nonce: 12345n })),
      'its token answers another request'
    ],
    [
      'answers without a nonce',
      query => authority.reply(changeQuery(query, { nonce: null })),
      'its token answers another request'
    ],
    [
      'stamps another hash',
      query => authority.reply(changeQuery(query, { hash: randomBytes(32) })),
      'its token is for other data'
    ]
  ])('%s', async (_, answer, error) => {
    authority.answer = sends(answer)
    const { stamp, told } = stamps()
    expect(await stamp(signature)).toBeNull()
    expect(told).toEqual([{ name: 'time_stamp.failed', host: new URL(authority.url).host, error }])
  })

  it('signs wrongly', async () => {
    authority.answer = sends((query) => {
      const bytes = authority.reply(query)
      bytes[bytes.length - 1]! ^= 1
      return bytes
    })
    const { stamp, told } = stamps()
    expect(await stamp(signature)).toBeNull()
    expect(told[0]!.error).toBe('the signature of its token is wrong')
  })

  it('redirects, which is not followed', async () => {
    const elsewhere = await anAuthority()
    try {
      authority.answer = response => void response.writeHead(307, { location: elsewhere.url }).end()
      const { stamp, told } = stamps()
      expect(await stamp(signature)).toBeNull()
      expect(told[0]!.error).toBe('it answered 307')
      expect(elsewhere.queries).toEqual([])
    } finally {
      await elsewhere.close()
    }
  })

  it('cannot be reached', async () => {
    const { stamp, told } = stamps('http://127.0.0.1:1/')
    expect(await stamp(signature)).toBeNull()
    expect(told[0]!.error).toMatch(/ECONNREFUSED|bad port/)
  })

  it.each([
    ['does not answer', () => {}],
    ['stops after the headers', (response: ServerResponse) => void response.writeHead(200).write('x')]
  ])('%s, after five seconds, and then no other document waits for half a minute', async (_, answer) => {
    authority.answer = answer
    const { stamp, told } = stamps()
    const started = performance.now()
    expect(await stamp(signature)).toBeNull()
    expect(performance.now() - started).toBeGreaterThan(4900)
    expect(await stamp(signature)).toBeNull()
    expect(told.map(({ name, error }) => [name, error])).toEqual([
      ['time_stamp.failed', 'no answer within 5 s'],
      ['time_stamp.not_asked', undefined]
    ])
    expect(authority.queries).toHaveLength(1)
  })
})

it.runIf(hasOpenssl).each([
  ['time stamps', [TIME_STAMPING], true],
  ['email', ['1.3.6.1.5.5.7.3.4'], false]
])('a token is accepted only if its certificate is for time stamps: %s', async (_, purposes, taken) => {
  const signer = await aCertificate({ name: 'Somebody', purposes, kind: 'RSA-2048' })
  authority.answer = async (response, query) =>
    void response.writeHead(200).end(await signedBy(authority.reply(query), signer))
  const { stamp, told } = stamps()
  expect((await stamp(signature)) !== null).toBe(taken)
  expect(told.map(({ error }) => error)).toEqual(taken ? [] : ['its certificate is not for time stamps'])
})
