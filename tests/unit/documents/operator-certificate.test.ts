import { execSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { X509Certificate } from 'node:crypto'
import * as asn1js from 'asn1js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigError } from '../../../server/core/config.ts'
import { readOperatorCertificate } from '../../../server/core/documents/operator-certificate.ts'
import {
  aCertificate,
  hasOpenssl,
  inDays,
  pkcs12Folder,
  x509,
  type KeyKind,
  type Made
} from '../../support/outside/certificates.ts'

let folder: ReturnType<typeof pkcs12Folder>
let seal: Made
beforeAll(async () => {
  folder = pkcs12Folder()
  seal = await aCertificate()
})
afterAll(() => folder.close())

const PASSWORD = 'pass word'
const read = (seal_p12: string | null, seal_password: string | null = PASSWORD) =>
  readOperatorCertificate({ seal_p12, seal_password })

async function problemOf(file: string, password?: string): Promise<string> {
  const error = await read(file, password).then(() => null, error => error)
  expect(error).toBeInstanceOf(ConfigError)
  expect(error.problems).toHaveLength(1)
  return error.problems[0]
}

describe.runIf(hasOpenssl)('the operator\'s certificate', () => {
  it('is absent when none is configured', async () => {
    expect(await read(null)).toBeNull()
  })

  it.each<KeyKind>(['RSA-2048', 'P-256', 'P-384'])(
    'is read with its key (%s) and its issuers, nearest first, from a file that holds others too',
    async (kind) => {
      const root = await aCertificate({ name: 'Root', ca: true })
      const between = await aCertificate({ name: 'Between', ca: true, issuer: root, kind: 'RSA-2048' })
      const own = await aCertificate({ kind, issuer: between, to: inDays(90) })
      const stranger = await aCertificate({ name: 'Stranger' })
      const file = folder.pkcs12({
        certificates: [own.certificate, stranger.certificate, root.certificate, between.certificate],
        key: own.key
      })
      const key = await read(file)
      expect(new X509Certificate(key!.certificate).subject).toBe('CN=Clinic Seal')
      expect(key!.chain.map(der => new X509Certificate(der).subject)).toEqual(['CN=Between', 'CN=Root'])
      expect(key!.not_after).toEqual(own.x509.notAfter)
      expect(key!.private_key.extractable).toBe(false)
    }
  )

  it.each([
    ['AES-128 and SHA-512', ['-keypbe', 'AES-128-CBC', '-certpbe', 'AES-128-CBC', '-macalg', 'SHA512']],
    ['unencrypted certificates', ['-certpbe', 'NONE']],
    ['no MAC', ['-nomac']]
  ])('is read from a file with %s', async (_, flags) => {
    expect(await read(folder.pkcs12({ certificates: [seal.certificate], key: seal.key, flags }))).not.toBeNull()
  })

  it('is read from a file in BER encoding, as browsers write it', async () => {
    const { result } = asn1js.fromBER(
      new Uint8Array(readFileSync(folder.pkcs12({ certificates: [seal.certificate], key: seal.key })))
    )
    const place = (result as any).valueBlock.value[1].valueBlock.value[1] // PFX → ContentInfo → [0] → OCTET STRING
    const safe = new Uint8Array(place.valueBlock.value[0].getValue())
    const pieces = [safe.subarray(0, 100), safe.subarray(100)].map(
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
    result.lenBlock.isIndefiniteForm = place.lenBlock.isIndefiniteForm = true
    expect(await read(folder.put('ber.p12', Buffer.from(result.toBER())))).not.toBeNull()
  })

  it.each(['', 'contraseña Ω', 'a"b\\c'])('is read with the password %j', async (password) => {
    expect(
      await read(folder.pkcs12({ certificates: [seal.certificate], key: seal.key, password }), password || null)
    ).not.toBeNull()
  })

  it('is read after it has expired, and only sealing stops', async () => {
    const old = await aCertificate({ from: inDays(-30), to: inDays(-1) })
    expect((await read(folder.pkcs12({ certificates: [old.certificate], key: old.key })))!.not_after).toEqual(
      old.x509.notAfter
    )
  })

  it('without any key usage can be used for everything', async () => {
    const plain = await aCertificate({ usage: null })
    expect(await read(folder.pkcs12({ certificates: [plain.certificate], key: plain.key }))).not.toBeNull()
  })

  it('for email or documents, or for signing in and email, can be used to sign', async () => {
    for (const purposes of [['1.3.6.1.5.5.7.3.36'], ['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.4']]) {
      const made = await aCertificate({ purposes, usage: x509.KeyUsageFlags.nonRepudiation })
      expect(await read(folder.pkcs12({ certificates: [made.certificate], key: made.key }))).not.toBeNull()
    }
  })
})

describe.runIf(hasOpenssl)('a file that can never seal is refused with one sentence because of', () => {
  it('a wrong password, which the sentence never repeats', async () => {
    const file = folder.pkcs12({ certificates: [seal.certificate], key: seal.key })
    const problem = await problemOf(file, 'hunter2')
    expect(problem).toBe(`SVC_SEAL_P12 (${file}) does not open with SVC_SEAL_PASSWORD, or is damaged`)
    await problemOf(folder.pkcs12({ certificates: [seal.certificate], key: seal.key, flags: ['-nomac'] }), 'hunter2')
  })

  it('damage', async () => {
    const bytes = readFileSync(folder.pkcs12({ certificates: [seal.certificate], key: seal.key }))
    bytes[200]! ^= 1
    expect(await problemOf(folder.put('damaged.p12', bytes))).toContain('damaged')
  })

  it.each([
    ['text', 'hello'],
    ['an empty file', ''],
    ['PEM', '-----BEGIN CERTIFICATE-----']
  ])('content that is not a PKCS #12 file: %s', async (_, text) => {
    expect(await problemOf(folder.put('text.p12', text))).toContain('is not a PKCS #12 file')
  })

  it('its absence', async () => {
    expect(await problemOf('/nowhere/seal.p12')).toBe('SVC_SEAL_P12 (/nowhere/seal.p12) cannot be read: ENOENT')
  })

  it('a missing private key', async () => {
    expect(await problemOf(folder.pkcs12({ certificates: [seal.certificate] }))).toContain('has no private key')
  })

  it.each([
    ['a key usage for encryption', { usage: x509.KeyUsageFlags.keyEncipherment }],
    ['the purpose of a TLS server', { purposes: ['1.3.6.1.5.5.7.3.1'] }]
  ])('a certificate with %s', async (_, wish) => {
    const made = await aCertificate(wish)
    expect(await problemOf(folder.pkcs12({ certificates: [made.certificate], key: made.key }))).toMatch(
      /\(CN=Clinic Seal\) that is not for signatures/
    )
  })

  it.each<[KeyKind, string]>([
    ['RSA-1024', 'rsa 1024 bits'],
    ['P-521', 'ec secp521r1'],
    ['Ed25519', 'ed25519']
  ])('an unsupported kind of key: %s', async (kind, name) => {
    const made = await aCertificate({ kind })
    expect(await problemOf(folder.pkcs12({ certificates: [made.certificate], key: made.key }))).toContain(
      `holds a key (${name}) that cannot seal`
    )
  })

  it.each([
    ['3DES and RC2', ['-legacy']],
    ['3DES', ['-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES']]
  ])('its protection by %s, with the command that converts it', async (_, flags) => {
    const old = folder.pkcs12({ certificates: [seal.certificate], key: seal.key, flags, name: 'old.p12' })
    const problem = await problemOf(old)
    const command = /umask .*$/
      .exec(problem)![0]
      .replace('-legacy', `-legacy -passin "pass:${PASSWORD}"`)
      .replace('-export', `-export -passout "pass:${PASSWORD}"`)
    execSync(command, { cwd: folder.path, stdio: 'pipe' })
    expect((await read(`${folder.path}/new.p12`))!.not_after).toEqual(seal.x509.notAfter)
  })
})
