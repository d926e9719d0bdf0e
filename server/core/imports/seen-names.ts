import { hash as digest } from 'node:crypto'

const SIZE = 8

/** Names of the rows read so far, as keyed hashes of 8 bytes: small for 100,000 rows, and useless without the key. */
export interface SeenNames {
  has (name: string): boolean
  add (name: string): void
  /** Returns the hashes added since the last call, and keeps them. */
  takeNew (): Buffer
  /** Removes the hashes added since then, because their batch was rolled back. */
  forgetNew (): void
  restore (hashes: Buffer): void
}

export function createSeenNames(key: Uint8Array): SeenNames {
  const seen = new Set<string>()
  let added: string[] = []
  const secret = Buffer.from(key).toString('base64')
  const hash = (name: string) => digest('sha256', `${secret} ${name}`, 'binary').slice(0, SIZE)

  return {
    has: name => seen.has(hash(name)),
    add(name) {
      const hashed = hash(name)
      if (seen.has(hashed)) return
      seen.add(hashed)
      added.push(hashed)
    },
    takeNew() {
      const hashes = Buffer.from(added.join(''), 'latin1')
      added = []
      return hashes
    },
    forgetNew() {
      for (const hashed of added) seen.delete(hashed)
      added = []
    },
    restore(hashes) {
      for (let at = 0; at < hashes.length; at += SIZE) seen.add(hashes.toString('latin1', at, at + SIZE))
    }
  }
}
