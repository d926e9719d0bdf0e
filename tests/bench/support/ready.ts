import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

/** Sends a request every 5 ms until it succeeds, for a minute at most. */
export async function untilReady(server: ChildProcess, url: string): Promise<void> {
  const until = performance.now() + 60_000
  while (!await fetch(url).then(response => response.ok, () => false)) {
    if (server.exitCode !== null || performance.now() > until) throw new Error(`${url} did not become ready`)
    await sleep(5)
  }
}
