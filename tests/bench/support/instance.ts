import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp, toNodeListener } from 'h3'
import type { Sql } from 'postgres'
import { readConfig } from '../../../server/core/config.ts'
import { startEmbedded } from '../../../server/core/db/embedded.ts'
import { start, type Runtime } from '../../../server/core/runtime.ts'
import { official, root } from '../../support/official.ts'
import { createPeople } from '../../support/people.ts'
import type { Caller } from '../../support/caller.ts'

export interface BenchInstance {
  sql: Sql
  /** A new clinic, and a caller who is its administrator. */
  clinic (name: string): Promise<{ id: string, staff: Caller }>
  seal: Runtime['services']['documents']['seal']
  close (): Promise<void>
}

/** The real core over HTTP on a database of its own, as a production server sets it up. */
export async function aBenchInstance(): Promise<BenchInstance> {
  const storage = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const embedded = await startEmbedded({ storage, root })
  const listener = { handle: undefined as undefined | ReturnType<typeof toNodeListener> }
  const server = createServer((request, response) => listener.handle!(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const runtime = await start(readConfig({ DATABASE_URL: embedded.url(), SVC_STORAGE: storage, SVC_BASE_URL: url, SVC_SECRET: 'a secret for benchmarks, long enough', LOG_LEVEL: 'silent' }, root), official)
  listener.handle = toNodeListener(createApp().use(runtime.api.handler))
  const people = createPeople(() => runtime.services, url)

  return {
    sql: runtime.services.database.sql,
    seal: runtime.services.documents.seal,
    async clinic(name) {
      const clinic = await people.clinic(name)
      return { id: clinic.id, staff: await people.member('admin', clinic) }
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await runtime.close()
      await embedded.release()
      rmSync(storage, { recursive: true, force: true })
    }
  }
}
