/** The length of a hash, in bytes. */
export const HASH_SIZE = 8

/** Hashes of eight bytes, as texts of eight characters up to U+00FF. */
export interface HashSet {
  has (hash: string): boolean
  add (hash: string): void
}

const FIRST_SLOTS = 1024
/** Above this share of used slots, looking for a free one takes long. */
const MAX_LOAD = 0.75

/**
 * A hash table with linear probing: a `Set` of such texts needs several times the memory, and allocates most of it
 * again each time it grows. Each slot is two numbers of 32 bits, both 0 if it is free.
 */
export function createHashSet(): HashSet {
  let slots = new Uint32Array(FIRST_SLOTS * 2)
  let count = 0

  /** The slot of the hash, or the free one where it belongs. */
  function find(low: number, high: number): number {
    const last = slots.length - 2
    let at = (low * 2) & last
    while (isUsed(slots, at) && (slots[at] !== low || slots[at + 1] !== high)) at = (at + 2) & last
    return at
  }

  function put(low: number, high: number): void {
    const at = find(low, high)
    slots[at] = low
    slots[at + 1] = high
  }

  function grow(): void {
    const before = slots
    slots = new Uint32Array(before.length * 2)
    for (let at = 0; at < before.length; at += 2) if (isUsed(before, at)) put(before[at]!, before[at + 1]!)
  }

  return {
    has: hash => isUsed(slots, find(lowOf(hash), highOf(hash))),
    add(hash) {
      const [low, high] = [lowOf(hash), highOf(hash)]
      if (isUsed(slots, find(low, high))) return
      if (++count > slots.length / 2 * MAX_LOAD) grow()
      put(low, high)
    }
  }
}

const isUsed = (slots: Uint32Array, at: number) => slots[at] !== 0 || slots[at + 1] !== 0

const lowOf = (hash: string) => numberAt(hash, 0)
/** Never 0, which marks a free slot. */
const highOf = (hash: string) => numberAt(hash, 4) || 1

function numberAt(hash: string, at: number): number {
  const low = hash.charCodeAt(at) | hash.charCodeAt(at + 1) << 8
  const high = hash.charCodeAt(at + 2) | hash.charCodeAt(at + 3) << 8
  return (low | high << 16) >>> 0
}
