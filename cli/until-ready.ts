import { setTimeout as sleep } from 'node:timers/promises'
import { failure } from './errors.ts'
import { answers } from './instance.ts'

const START_TIMEOUT_MS = 120_000

/** Throws when the server that runs at `url` does not become ready in time, two minutes by default. */
export async function untilReady(url: string, timeout_ms = START_TIMEOUT_MS): Promise<void> {
  const until = performance.now() + timeout_ms
  while (!await answers(`${url}/readyz`)) {
    if (performance.now() > until)
      throw failure('not_ready', 'The server did not become ready within two minutes.', `${url}/readyz says why`)
    await sleep(50)
  }
}
