/**
 * Publishes an event and is killed after the commit, before its notice: the only connection that could send it is busy.
 * Arguments: the database's URL and the event's subscriber.
 */
import { tmpdir } from 'node:os'
import { openDatabase } from '../../../server/core/db/client.ts'
import { createEvents } from '../../../server/core/events/publish.ts'
import { root } from '../modules/official.ts'

const [database_url, subscriber] = process.argv.slice(2) as [string, string]
const database = await openDatabase({ database_url, storage: tmpdir(), root }, { max: 1, commits: 1 })
void database.pools.reads`select pg_sleep(600)`.catch(() => {})
await database.db.transaction(tx =>
  createEvents(() => [subscriber]).publish(tx, 'fact.done', {
    clinic_id: '00000000-0000-4000-8000-000000000001',
    by: 'a killed process'
  })
)
process.kill(process.pid, 'SIGKILL')
