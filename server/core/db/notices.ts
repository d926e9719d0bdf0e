import { AsyncLocalStorage } from 'node:async_hooks'
import { sql, type SQL } from 'drizzle-orm'
import type { AnyTx } from '@svc/kit'
import type { Sql } from 'postgres'
import { rowsOf } from './rows.ts'

/** What every process listens to (`listener.ts`). */
export const CHANNEL = 'svc_work'
/** In bytes. The server refuses longer notices. */
const MAX_BYTES = 7999

interface QueuedNotices { texts: Set<string>, isComplete: boolean, isOver: boolean }
const transactions = new AsyncLocalStorage<QueuedNotices>()

export interface Notifier {
  /**
   * Runs `work` in a transaction that `begin` makes, and then sends the notices of what it wrote, without waiting for
   * them.
   */
  notifyAfter<X, T>(work: (tx: X) => Promise<T>, begin: (work: (tx: X) => Promise<T>) => Promise<T>): Promise<T>
}

/**
 * Sends notices after the commit: inside a transaction, NOTIFY holds a lock of the whole database server until the
 * commit is over, and every other transaction with a notice would wait as long as one waits for its standby. `reads`:
 * connections that no commit makes wait. Notices that come up while others are sent leave together.
 */
export function createNotifier(reads: Sql): Notifier {
  const waiting = new Set<string>()
  let isSending = false

  async function send() {
    if (isSending) return
    isSending = true
    while (waiting.size > 0) {
      const texts = [...waiting]
      waiting.clear()
      await rowsOf(reads, notify(texts)).catch(() => {}) // a lost notice is found like that of a killed process
    }
    isSending = false
  }

  return {
    async notifyAfter(work, begin) {
      const unsent: QueuedNotices = { texts: new Set(), isComplete: false, isOver: false }
      const complete: typeof work = async (tx) => {
        const result = await work(tx)
        unsent.isComplete = true
        return result
      }
      try {
        return await transactions.run(unsent, () => begin(complete))
      } finally { // also if the commit failed: it may have taken place, and only its answer was lost
        unsent.isOver = true
        if (unsent.isComplete) for (const text of unsent.texts) waiting.add(text)
        void send()
      }
    }
  }
}

/**
 * Notices about rows of this transaction, which go to every process once it has committed. A notice is only a hint:
 * each process looks for due rows every few seconds, and so finds rows whose notice was lost. Transactions on
 * connections other than those of `Database` send none.
 */
export async function queueNotices(tx: AnyTx, notices: object[]): Promise<void> {
  if (notices.length === 0) return
  const texts = notices.map(toText)
  const unsent = transactions.getStore()
  if (unsent && !unsent.isOver) texts.forEach(text => unsent.texts.add(text))
  else if (!isTransaction(tx)) await rowsOf(tx, notify(texts))
}

/** A notice that is too long becomes an empty text, after which the receiver looks at everything. */
function toText(notice: object): string {
  const text = JSON.stringify(notice)
  return Buffer.byteLength(text) > MAX_BYTES ? '' : text
}

/** Its commit waits neither for a standby nor for the disk, because nothing of it is kept. */
const notify = (texts: string[]): SQL => sql`
  select set_config('synchronous_commit', 'off', true), count(pg_notify(${CHANNEL}, value)::text)
  from jsonb_array_elements_text(${JSON.stringify(texts)}::text::jsonb) as notice (value)`

/** Of drizzle or of postgres.js. */
const isTransaction = (tx: AnyTx) => 'rollback' in tx || 'savepoint' in tx
