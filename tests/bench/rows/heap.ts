import { freePort } from '../../support/cli.ts'
import { startBuilt, stop } from '../../support/browser/built-server.ts'
import { inspect, type Inspector } from '../support/inspector.ts'
import type { BenchInstance } from '../support/instance.ts'
import { openLinks } from '../support/links.ts'
import { answersPerSecond, type Ask } from '../support/load.ts'
import { figure, type Figure } from '../support/measure.ts'

const REQUESTS = { full: [10_000, 100_000], smallest: [100, 1_000] } as const
const MB = 1024 * 1024

/** The heap after a garbage collection must not grow with the number of answered requests. */
export async function heap(instance: BenchInstance, say: (line: string) => void): Promise<Figure[]> {
  const [few, many] = REQUESTS[instance.size]
  const port = await freePort()
  const { url, server } = await startBuilt({ ...instance.env, NODE_OPTIONS: `--inspect=127.0.0.1:${port}` })
  const inspector = await inspect(port)
  const ask = await mixOf(instance)
  try {
    await answersPerSecond({ url, connections: 16, amount: few, ask })
    const base = await liveHeap(inspector)
    say(`${base.toFixed(1)} MB after ${few} requests`)
    await answersPerSecond({ url, connections: 16, amount: many - few, ask })
    const measured = await liveHeap(inspector)
    return [
      figure({
        name: `live heap after ${many.toLocaleString('en')} requests`,
        baseline: `after ${few.toLocaleString('en')}`,
        unit: 'MB',
        base,
        measured,
        at_most: 1.1
      })
    ]
  } finally {
    inspector.close()
    await stop(server)
  }
}

/** The patient's view from many addresses and links, its public part, and occasionally the page itself. */
async function mixOf(instance: BenchInstance): Promise<Ask> {
  const links = await openLinks(instance, 500)
  return (n) => {
    const { token, base, headers } = links[n % links.length]!
    const address = { 'x-forwarded-for': `10.${n >> 16 & 255}.${n >> 8 & 255}.${n & 255}` }
    if (n % 100 === 0) return { path: `/p/budget/${token}`, headers: address }
    return n % 2 === 0
      ? { path: `${base}/meta`, headers: address }
      : { path: base, headers: { ...headers, ...address } }
  }
}

async function liveHeap(inspector: Inspector): Promise<number> {
  // The second round frees the objects that finalizers of the first round released.
  for (let round = 0; round < 2; round++) await inspector.call('HeapProfiler.collectGarbage')
  const { usedSize } = await inspector.call('Runtime.getHeapUsage')
  return usedSize / MB
}
