import { hash as digest } from 'node:crypto'
import { createHashSet, HASH_SIZE } from './hash-set.ts'

/**
 * Names of the rows read so far, as keyed hashes of 8 bytes: small for 100,000 rows, and useless without the key. Two
 * of a million names have the same hash in one of 37 million files.
 */
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
  const kept = createHashSet()
  const added = new Set<string>()
  const secret = Buffer.from(key).toString('base64')
  const hash = (name: string) => digest('sha256', `${secret} ${name}`, 'binary').slice(0, HASH_SIZE)
  const isSeen = (hashed: string) => added.has(hashed) || kept.has(hashed)

  return {
    has: name => isSeen(hash(name)),
    add(name) {
      const hashed = hash(name)
      if (!isSeen(hashed)) added.add(hashed)
    },
    takeNew() {
      const hashes = Buffer.from([...added].join(''), 'latin1')
      for (const hashed of added) kept.add(hashed)
      added.clear()
      return hashes
    },
    forgetNew: () => added.clear(),
    restore(hashes) {
      for (let at = 0; at < hashes.length; at += HASH_SIZE) kept.add(hashes.toString('latin1', at, at + HASH_SIZE))
    }
  }
}
