import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import type { Database } from '../../server/core/db/client.ts'
import { createJobs } from '../../server/core/events/publish.ts'
import { wakeLines } from '../../server/core/events/wake.ts'
import { DEMO } from '../../server/core/demo/demo.ts'
import { failure } from '../errors.ts'

const WAIT_TIMEOUT_MS = 120_000

/**
 * Requests the demo data from the running server as a job of the core, because modules run there. `wait: false` only
 * enqueues the request. Throws when the job fails.
 */
export async function makeDemoData(database: Database, { wait }: { wait: boolean }): Promise<'done' | 'scheduled'> {
  const sql = database.connect({ name: 'cli' })
  const id = await sql.begin(async (tx) => {
    await createJobs('core').add(tx, 'demo', {}, { key: 'demo' })
    const [row] = await tx<
      { id: string }[]
    >`select max(id)::text as id from core_delivery where module_name = 'core' and name = 'demo'`
    return row!.id
  })
  await wakeLines(sql, [{ module: 'core', line: 'job:demo' }]) // a transaction of this client sends no notice
  if (!wait) return 'scheduled'

  const until = performance.now() + WAIT_TIMEOUT_MS
  for (;;) {
    const [job] = await sql<
      { status: string, last_error: string | null }[]
    >`select status, last_error from core_delivery where id = ${id}::bigint`
    if (!job || job.status === 'done') {
      await refuseMissing(sql)
      return 'done'
    }
    if (job.last_error) throw failure('demo_failed', `The demo data could not be made: ${job.last_error}`)
    if (performance.now() > until)
      throw failure('demo_pending', 'No server answered in time; the demo data is made at the next start.', 'svc up')
    await sleep(50)
  }
}

/** The server has its own settings, and may have refused. */
async function refuseMissing(sql: Sql): Promise<void> {
  const [clinic] = await sql`select 1 from core_clinic where id = ${DEMO.clinic_id}`
  if (!clinic)
    throw failure(
      'demo_refused',
      'The running server refused the demo clinic: people elsewhere reach it.',
      'its log says why: demo.refused'
    )
}
