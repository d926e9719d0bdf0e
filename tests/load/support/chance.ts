/** Repeatable random numbers. A journey depends only on the seed and its number, not on the order of the calls. */
export interface Chance {
  /** An integer from 0 to n - 1. */
  below (n: number): number
  /** True with this percentage. */
  percent (share: number): boolean
  of<T> (choices: readonly T[]): T
}

export function chanceOf(seed: number, journey: number): Chance {
  let state = Math.imul(seed, 0x9E3779B1) ^ Math.imul(journey + 1, 0x85EBCA6B)
  // Mulberry32.
  const next = () => {
    state = state + 0x6D2B79F5 | 0
    let mixed = Math.imul(state ^ state >>> 15, 1 | state)
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed
    return ((mixed ^ mixed >>> 14) >>> 0) / 0x1_0000_0000
  }
  const below = (n: number) => Math.floor(next() * n)
  return { below, percent: share => below(100) < share, of: choices => choices[below(choices.length)]! }
}
