import { serverEntry } from '../../../cli/build/aside.ts'
import { SECRET, stop } from '../../support/browser/built-server.ts'
import { root } from '../../support/modules/official.ts'
import { spawnServer } from '../support/bare.ts'
import type { BenchInstance } from '../support/instance.ts'
import { compare, type Figure } from '../support/measure.ts'
import { untilReady } from '../support/ready.ts'

/** From the start of the process to its first `ready`, without migrations or installations. */
export async function startUp(instance: BenchInstance): Promise<Figure[]> {
  const empty = await instance.bare('empty')
  const env = { ...instance.env, SVC_SECRET: SECRET }
  let end = async () => {}
  const startOf = (entry: string) => async () => {
    const { server, url } = await spawnServer(entry, env)
    end = () => stop(server)
    await untilReady(server, `${url}/readyz`)
  }
  return [
    await compare({
      name: 'process start to ready, nothing pending',
      baseline: {
        name: 'node starting an empty Nitro server that imports the same driver and connects',
        run: startOf(empty.entry)
      },
      run: startOf(serverEntry(root)),
      after: () => end(),
      at_most: 4,
      size: instance.size,
      rounds: 9,
      warm_up: 1
    })
  ]
}
