import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { BenchInstance } from '../support/instance.ts'
import { aSentBudget } from '../../support/builders.ts'
import { compare, type Figure } from '../support/measure.ts'

/** The hash cost of a code in `server/core/secrets.ts`. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }

/** A right code over HTTP: limits, link, count, comparison, session, log. */
export async function verify(instance: BenchInstance): Promise<Figure[]> {
  const { base, code } = await aSentBudget(instance)
  const stretch = promisify<string, string, number, object, Buffer>(scrypt)
  let caller = 0
  return [await compare({
    name: 'verify',
    baseline: { name: 'one scrypt of the same cost', run: () => stretch(code, 'sixteen bytes of', 32, COST) },
    async run() {
      const n = caller++
      const response = await fetch(`${instance.url}${base}/verify`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.0.${n >> 8}.${n & 255}` },
        body: JSON.stringify({ code })
      })
      if (response.status !== 200) throw new Error(`verify answered ${response.status}: ${await response.text()}`)
      await response.arrayBuffer()
    },
    at_most: 1.3,
    size: instance.size
  })]
}
