import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  scrypt,
  timingSafeEqual,
  type KeyObject,
  type ScryptOptions
} from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { Ctx } from '@svc/kit'
import { DEFAULT_HASH_COST, type Config } from './config.ts'

interface Cost { ln: number, r: number, p: number }

/** What Node refuses to exceed; the highest `SVC_HASH_COST` takes half of it. */
const MEMORY = 256 * 1024 * 1024
const SEALED_VERSION = 1

/** The purpose with which the private key of the instance's certificate is sealed. */
export const CERTIFICATE = 'certificate'

/** One of this process's secrets. */
export interface KnownSecret {
  /** Identifies the secret, and reveals nothing else about it. */
  id: string
  mac (purpose: string, data: string | Uint8Array): Buffer
}

export interface Secrets extends KitSecrets {
  /** `SVC_SECRET` first, then the former ones. */
  known: readonly KnownSecret[]
  canOpen (purpose: string, sealed: string): boolean
}
type KitSecrets = Ctx['secrets']

type Settings = Pick<Config, 'secret' | 'secret_previous' | 'storage'> & Partial<Pick<Config, 'hash_cost'>>

/** All keys are derived from one instance secret, so that a stolen dump alone reveals nothing (HKDF, RFC 5869). */
export function createSecrets(config: Settings): Secrets {
  const current = keyring(config.secret ?? keptSecret(config.storage))
  const rings = [current, ...formerSecrets(config.secret_previous).map(keyring)]
  const cost = { ln: config.hash_cost ?? DEFAULT_HASH_COST, r: 8, p: 1 }

  return {
    known: rings.map(ring => ({ id: ring.id, mac: (purpose, data) => mac(ring, purpose, data) })),
    seal: (purpose, plain) => seal(current.key(`seal:${purpose}`), purpose, plain),
    canOpen: (purpose, sealed) => openWithAny(rings, purpose, sealed) !== null,
    open(purpose, sealed) {
      const plain = openWithAny(rings, purpose, sealed)
      if (plain) return plain
      throw new Error(`what was sealed for ${purpose} cannot be opened with the instance secret`)
    },
    mac: (purpose, data) => mac(current, purpose, data),
    macs: (purpose, data) => rings.map(ring => mac(ring, purpose, data)),
    verifyMac: (purpose, data, given) => rings.map(ring => same(mac(ring, purpose, data), given)).includes(true),
    hash: value => hash(current, value, cost),
    verify: (value, stored) => verify(rings, value, stored, cost)
  }
}

/** False if `createSecrets` would generate a new one. */
export const hasSecret = ({ secret, storage }: Settings): boolean =>
  secret !== null || readIfThere(keptIn(storage)) !== null

const MIN_LENGTH = 32

/**
 * Logs are kept for years after a rotation, so there may be several, separated by spaces. A single secret may itself
 * contain spaces.
 */
function formerSecrets(text: string | null): string[] {
  const parts = text?.split(/\s+/).filter(Boolean) ?? []
  return text === null || parts.every(part => part.length >= MIN_LENGTH) ? parts : [text]
}

interface Keyring {
  /** As a KeyObject: with the key's bytes, Node takes several times as long for a MAC. */
  key(purpose: string): KeyObject
  /** Identifies the secret with which a hash was made. */
  id: string
}

function keyring(secret: string): Keyring {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'dental-budget-service', purpose, 32))
  const keys = new Map<string, KeyObject>()
  function key(purpose: string) {
    const known = keys.get(purpose)
    if (known) return known
    const made = createSecretKey(derive(purpose))
    keys.set(purpose, made)
    return made
  }
  return { key, id: derive('key-id').subarray(0, 6).toString('base64url') }
}

function seal(key: KeyObject, purpose: string, plain: string | Uint8Array): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([Buffer.of(SEALED_VERSION), iv, cipher.getAuthTag(), body]).toString('base64url')
}

function openWithAny(rings: Keyring[], purpose: string, sealed: string): Buffer | null {
  for (const ring of rings) {
    const plain = open(ring.key(`seal:${purpose}`), purpose, sealed)
    if (plain) return plain
  }
  return null
}

function open(key: KeyObject, purpose: string, sealed: string): Buffer | null {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < 29 || bytes[0] !== SEALED_VERSION) return null
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 13), { authTagLength: 16 })
    .setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(13, 29))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(29)), decipher.final()])
  } catch {
    return null // sealed with another secret, or tampered with: the caller tries the next one or throws
  }
}

const mac = (ring: Keyring, purpose: string, data: string | Uint8Array) =>
  createHmac('sha256', ring.key(`mac:${purpose}`))
    .update(data)
    .digest()

const same = (a: Uint8Array, b: Uint8Array) => a.length === b.length && timingSafeEqual(a, b)

async function hash(ring: Keyring, value: string, cost: Cost): Promise<string> {
  const salt = randomBytes(16)
  const digest = await derivePasswordHash(ring, value, salt, cost)
  return [
    'scrypt',
    `ln=${cost.ln},r=${cost.r},p=${cost.p}`,
    ring.id,
    salt.toString('base64url'),
    digest.toString('base64url')
  ].join('$')
}

/** A text in an unknown format, or made with an unknown secret, takes as long to check as a wrong value. */
async function verify(rings: Keyring[], value: string, stored: string, usual: Cost): Promise<boolean> {
  const [, cost, id, salt, digest]
    = /^scrypt\$(ln=\d\d?,r=\d\d?,p=\d)\$([\w-]+)\$([\w-]+)\$([\w-]+)$/.exec(stored) ?? []
  const ring = rings.find(candidate => candidate.id === id)
  const right = await derivePasswordHash(
    ring ?? rings[0]!,
    value,
    Buffer.from(salt ?? '', 'base64url'),
    cost ? toCost(cost) : usual
  )
  return Boolean(ring) && same(right, Buffer.from(digest ?? '', 'base64url'))
}

function toCost(text: string): Cost {
  return Object.fromEntries(
    text.split(',').map(part => [part.split('=')[0], Number(part.split('=')[1])])
  ) as unknown as Cost
}

function derivePasswordHash(ring: Keyring, value: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
  const peppered = createHmac('sha256', ring.key('pepper')).update(value).digest()
  const options: ScryptOptions = { N: 2 ** ln, r, p, maxmem: MEMORY }
  return new Promise((resolve, reject) =>
    scrypt(peppered, salt, 32, options, (error, key) => (error ? reject(error) : resolve(key)))
  )
}

const keptIn = (storage: string) => path.join(storage, 'secret')

/** Generated once, and complete before it gets its name, so that a second process never reads half of it. */
function keptSecret(storage: string): string {
  const file = keptIn(storage)
  const found = readIfThere(file)
  if (found) return found
  mkdirSync(storage, { recursive: true })
  const temporary = `${file}.${randomBytes(6).toString('hex')}`
  const handle = openSync(temporary, 'wx', 0o600)
  try {
    writeSync(handle, `${randomBytes(32).toString('base64url')}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  try {
    linkSync(temporary, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(temporary)
  }
  return readFileSync(file, 'utf8').trim()
}

function readIfThere(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8').trim()
    if (text.length < 32) throw new Error(`${file} holds no secret of at least 32 characters`)
    return text
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
