import { createHash, createSign, generateKeyPairSync, webcrypto } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { buildPage, PAGE } from '@svc/evidence-page/build.ts'
import { fromBase64, utf8, type Bytes } from '@svc/evidence-page/bytes.ts'
import { brokenAt } from '@svc/evidence-page/check-log.ts'
import { readElement } from '@svc/evidence-page/der.ts'
import { LANGUAGES, languageOf } from '@svc/evidence-page/texts.ts'
import { verifySignature } from '@svc/evidence-page/verify-signature.ts'
import { checkPage, pageHash } from '../../../layers/budget/server/services/proof/evidence/check-page.ts'
import { signatureText } from '../../../layers/budget/server/services/proof/evidence/hash-list.ts'
import type { LogExtract } from '@svc/evidence-page/types.ts'

describe('the committed evidence page', () => {
  test('equals the output of `npm run evidence-page`', async () => {
    expect(readFileSync(PAGE, 'utf8') === await buildPage()).toBe(true)
  }, 60_000)

  const page = Buffer.from(checkPage({ 'signed.pdf': utf8('</script><script>alert(1)</script>') })).toString()

  test('allows only its own script and style, and refers to no other file', () => {
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(page)![1]!
    const hashes = ['style', 'script'].map(
      tag =>
        `'sha256-${createHash('sha256')
          .update(new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(page)![1]!)
          .digest('base64')}'`
    )
    expect(policy).toBe(
      `default-src 'none'; script-src ${hashes[1]}; style-src ${hashes[0]}; connect-src 'self' file:; base-uri 'none'; form-action 'none'`
    )
    expect(page).not.toMatch(/(?:src|href)="|@import|url\(/)
  })

  test('cannot be broken by the content of a file, and has the hash of the page without copies', () => {
    expect(page.match(/<\/script>/g)).toHaveLength(2)
    const [, copies] = /id="copies">(.*)<\/script>/.exec(page)!
    expect(createHash('sha256').update(page.replace(copies!, '')).digest('hex')).toBe(pageHash())
  })
})

describe('the texts of the evidence page', () => {
  const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()

  /** "Intact" and "Conditions" are the same in English and French. */
  const isSame = (language: string, key: string) =>
    /^(?:name|patient|total|version)$/.test(key) || (language === 'fr' && /^(?:whole|clauses)$/.test(key))

  test.each(Object.entries(LANGUAGES))('in %s are complete, with the same placeholders', (language, texts) => {
    for (const [key, english] of Object.entries(LANGUAGES.en)) {
      const text = texts[key as keyof typeof texts]
      expect(places(text), key).toEqual(places(english))
      if (language !== 'en') expect([text, isSame(language, key)], key).not.toEqual([english, false])
    }
  })

  test('are in the first language that the browser asks for and the page has', () => {
    expect([languageOf(['nl', 'de-AT', 'en']), languageOf(['pt-BR']), languageOf(['nl']), languageOf([])]).toEqual([
      'de',
      'pt',
      'en',
      'en'
    ])
  })
})

describe('the signature check of the evidence page', () => {
  const data = utf8('a list of hashes')
  const spki = (key: ReturnType<typeof generateKeyPairSync>['publicKey']) =>
    new Uint8Array(key.export({ type: 'spki', format: 'der' }) as Buffer)

  test('accepts RSA signatures made by OpenSSL', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const signature = new Uint8Array(createSign('sha256').update(data).sign(privateKey))
    expect(await verifySignature({ public_key: spki(publicKey), data, signature })).toBe(true)
    expect(await verifySignature({ public_key: spki(publicKey), data: utf8('another list'), signature })).toBe(false)
  })

  test.each(['P-256', 'P-384', 'P-521'])(
    'accepts ECDSA on %s, and OpenSSL reads the signature that is converted from WebCrypto',
    async (namedCurve) => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve })
      const key = await webcrypto.subtle.importKey(
        'pkcs8',
        privateKey.export({ type: 'pkcs8', format: 'der' }),
        { name: 'ECDSA', namedCurve },
        false,
        ['sign']
      )
      for (let round = 0; round < 20; round++) {
        // leading zeros occur occasionally
        const raw = new Uint8Array(await webcrypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, data))
        const written = fromBase64(
          signatureText({ algorithm: 'ECDSA', hash: 'SHA-256', named_curve: namedCurve, signature: raw })
        )
        const others = new Uint8Array(createSign('sha256').update(data).sign(privateKey))
        for (const signature of [written, others] as Bytes[]) {
          expect(await verifySignature({ public_key: spki(publicKey), data, signature })).toBe(true)
          expect(await verifySignature({ public_key: spki(publicKey), data: utf8('x'), signature })).toBe(false)
        }
        expect(readElement(written).whole).toHaveLength(written.length)
      }
    }
  )

  test('gives no verdict on a key of another kind', async () => {
    const { publicKey } = generateKeyPairSync('ed25519')
    expect(await verifySignature({ public_key: spki(publicKey), data, signature: new Uint8Array(64) })).toBe(null)
  })
})

describe('the log check of the evidence page gives the right verdict', () => {
  const row = (seq: number) => ({
    seq,
    at: '',
    action: 'read',
    success: true,
    actor: 'patient' as const,
    detail: {},
    prev_hash: seq === 1 ? null : `h${seq - 1}`,
    hash: `h${seq}`
  })
  const log = (rows: number[], change: Partial<LogExtract> = {}): LogExtract => ({
    budget_id: '',
    number: '',
    version: 1,
    whole: true,
    checkpoint: null,
    rows: rows.map(row),
    ...change
  })
  const checkpoint = { seq: 2, hash: 'h2', rows: 2, from_at: '', to_at: '', made_at: '' }
  const end = { seq: 4, hash: 'h4' }

  test.each([
    ['a complete log', log([1, 2, 3, 4]), null],
    ['a log that begins at a checkpoint', log([3, 4], { checkpoint }), null],
    ['a log that begins with a later row', log([2, 3, 4]), 1],
    ['a log that begins after its checkpoint', log([4], { checkpoint }), 3],
    ['a log with a gap', log([1, 2, 4]), 3],
    ['a log in another order', log([1, 3, 2, 4]), 2],
    [
      'a log with a row of another chain',
      log([1, 2, 3, 4], { rows: [...log([1, 2]).rows, { ...row(3), prev_hash: 'x' }, row(4)] }),
      3
    ],
    ['a log that is cut at the end', log([1, 2, 3]), 0],
    ['a log that is longer than its signed end', log([1, 2, 3, 4, 5]), 0],
    ['a log that the service found changed', log([1, 2, 3, 4], { whole: false }), 0]
  ])('on a log: %s', (_, extract, broken) => {
    expect(brokenAt(extract, end)).toBe(broken)
  })
})
