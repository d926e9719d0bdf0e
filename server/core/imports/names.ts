import { hash as digest } from 'node:crypto'

const SIZE = 8

/**
 * By what the rows of one file were found so far: eight bytes a name, which stay small beside 100,000 rows and tell
 * nothing without the key.
 */
export interface SeenNames {
  has (name: string): boolean
  add (name: string): void
  /** What was added since the last time. */
  takeNew (): Buffer
  /** What was added since the last time was not: its batch is rolled back. */
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
