import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBare } from '../support/bare.ts'
import type { BenchInstance } from '../support/instance.ts'
import { openLinks } from '../support/links.ts'
import { answersPerSecond } from '../support/load.ts'
import { compareThroughput, type Figure } from '../support/measure.ts'

const CONNECTIONS = 16

/** The patient reads the budget again and again, over 16 connections. */
export async function patientView(instance: BenchInstance): Promise<Figure[]> {
  const load = { connections: CONNECTIONS, ...instance.size === 'full' ? { seconds: 5 } : { amount: 100 } }
  const links = await openLinks(instance, 100)
  const folder = mkdtempSync(join(tmpdir(), 'svc-view-'))
  const body = await (await fetch(instance.url + links[0]!.base, { headers: links[0]!.headers })).text()
  writeFileSync(join(folder, 'body.json'), body)
  const bare = await instance.bare('handlers')
  const server = await startBare(bare, { ...instance.env, VIEW_BODY: join(folder, 'body.json') }, '/ready')
  const linkOf = (n: number) => links[n % links.length]!
  try {
    return [
      await compareThroughput({
        name: 'GET of the patient\'s view with session, 16 connections',
        baseline: {
          name: 'the same bytes from a bare Nitro handler, one SELECT of the session, one of the budget with its lines',
          answers: () =>
            answersPerSecond({
              ...load,
              url: server.url,
              ask: n => ({ path: `/view/${linkOf(n).token}`, headers: linkOf(n).headers })
            })
        },
        answers: () =>
          answersPerSecond({
            ...load,
            url: instance.url,
            ask: n => ({ path: linkOf(n).base, headers: linkOf(n).headers })
          }),
        at_least: 0.6,
        size: instance.size
      })
    ]
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
