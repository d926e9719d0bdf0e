import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSecrets } from '../../server/core/secrets.ts'

const aFolder = () => mkdtempSync(path.join(tmpdir(), 'svc-secrets-'))
const aSecret = (letter: string) => letter.repeat(32)
const withSecret = (secret: string, secret_previous: string | null = null) =>
  createSecrets({ secret, secret_previous, storage: '/nowhere' })

describe('the instance secret', () => {
  it('is created once in storage/secret and readable by its owner only', () => {
    const storage = aFolder()
    const first = createSecrets({ secret: null, secret_previous: null, storage })
    const second = createSecrets({ secret: null, secret_previous: null, storage })
    expect(Buffer.from(second.open('link', first.seal('link', 'token'))).toString()).toBe('token')
    expect(statSync(path.join(storage, 'secret')).mode & 0o777).toBe(0o600)
    expect(readFileSync(path.join(storage, 'secret'), 'utf8').trim().length).toBeGreaterThanOrEqual(32)
  })

  it('can be rotated: data that the previous secret sealed, signed and hashed can still be opened', async () => {
    const old = withSecret(aSecret('a'))
    const [sealed, mac, hash] = [old.seal('link', 'token'), old.mac('log', 'row'), await old.hash('246810')]
    const rotated = withSecret(aSecret('b'), aSecret('a'))
    expect(Buffer.from(rotated.open('link', sealed)).toString()).toBe('token')
    expect(rotated.verifyMac('log', 'row', mac)).toBe(true)
    expect(await rotated.verify('246810', hash)).toBe(true)
    expect(await withSecret(aSecret('b')).verify('246810', hash)).toBe(false)
    expect(() => withSecret(aSecret('b')).open('link', sealed)).toThrow()
  })

  it('can be rotated again: all former secrets still work, separated by spaces, and one may contain spaces', () => {
    const words = 'a secret of words, as long as it has to be'
    const macs = [withSecret(aSecret('a')), withSecret(aSecret('b')), withSecret(words)].map(old =>
      old.mac('log', 'row')
    )
    expect(
      macs.map(mac => withSecret(aSecret('c'), `${aSecret('b')} ${aSecret('a')}`).verifyMac('log', 'row', mac))
    ).toEqual([true, true, false])
    expect(macs.map(mac => withSecret(aSecret('c'), words).verifyMac('log', 'row', mac))).toEqual([false, false, true])
  })
})

describe('a sealed text', () => {
  const secrets = withSecret(aSecret('a'))

  it('differs each time and can only be opened for its purpose', () => {
    expect(secrets.seal('link', 'token')).not.toBe(secrets.seal('link', 'token'))
    expect(() => secrets.open('certificate', secrets.seal('link', 'token'))).toThrow()
  })

  it('cannot be opened after one bit was changed, nor can a text that was never sealed', () => {
    const bytes = Buffer.from(secrets.seal('link', 'token'), 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      expect(() => secrets.open('link', changed.toString('base64url'))).toThrow()
    }
    expect(() => secrets.open('link', '')).toThrow()
    expect(() => secrets.open('link', 'token')).toThrow()
  })
})

describe('a hashed code', () => {
  it('matches its value only, and reveals neither value nor pepper', async () => {
    const secrets = withSecret(aSecret('a'))
    const hash = await secrets.hash('246810')
    expect(hash).toMatch(/^scrypt\$ln=15,r=8,p=1\$[\w-]+\$[\w-]+\$[\w-]+$/)
    expect(await secrets.verify('246810', hash)).toBe(true)
    expect(await secrets.verify('246811', hash)).toBe(false)
    expect(await secrets.verify('246810', 'none')).toBe(false)
    expect(await secrets.hash('246810')).not.toBe(hash)
  })
})
