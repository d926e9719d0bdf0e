import { ACCEPTANCE, aSentBudget, aVerifiedPatient, eventually } from '../../support/builders.ts'
import { startBare } from '../support/bare.ts'
import type { BenchInstance } from '../support/instance.ts'
import { openLinks } from '../support/links.ts'
import { answersPerSecond } from '../support/load.ts'
import { compareThroughput, WARM_UP, type Figure } from '../support/measure.ts'

const CONNECTIONS = 16
const ROUNDS = 5
const AMOUNT = 1500
/** Each link allows ten downloads a minute. */
const TIMES = 10

/** Many patients download their signed copies. */
export async function signedDownload(instance: BenchInstance, say: (line: string) => void): Promise<Figure[]> {
  const [amount, rounds] = instance.size === 'full' ? [AMOUNT, ROUNDS + WARM_UP] : [CONNECTIONS, 1]
  const links = await openLinks(instance, Math.ceil(amount * rounds / TIMES))
  await giveThemTheFile(instance, links.map(({ id }) => id))
  await instance.sql`drop table if exists bench_download`
  await instance.sql`create table bench_download (id uuid primary key, budget_id uuid not null, at timestamptz not null, hash bytea not null)`
  say('building the bare handler')
  const bare = await instance.bare('handlers')
  const server = await startBare(bare, instance.env, '/ready')
  const taken = { bare: 0, ours: 0 }
  const linkOf = (n: number) => links[n % links.length]!
  try {
    return [
      await compareThroughput({
        name: 'signed PDF download, many links',
        baseline: {
          name: 'a bare handler with one SELECT, one committed INSERT, one SHA-256, the same file',
          answers: () =>
            answersPerSecond({
              url: server.url,
              connections: CONNECTIONS,
              amount,
              ask: () => ({ path: `/download/${linkOf(taken.bare).token}`, headers: linkOf(taken.bare++).headers })
            })
        },
        answers: () =>
          answersPerSecond({
            url: instance.url,
            connections: CONNECTIONS,
            amount,
            ask: () => ({ path: `${linkOf(taken.ours).base}/pdf/signed`, headers: linkOf(taken.ours++).headers })
          }),
        at_least: 0.7,
        size: instance.size,
        rounds: ROUNDS
      })
    ]
  } finally {
    await server.stop()
  }
}

/** One budget is signed as usual, and the others use its file. */
async function giveThemTheFile(instance: BenchInstance, ids: string[]): Promise<void> {
  const budget = await aSentBudget(instance)
  await (await aVerifiedPatient(instance, budget)).post(`${budget.base}/accept`, ACCEPTANCE)
  const stored = await eventually(
    async () =>
      (
        await instance.sql`select signed_pdf_key, signed_pdf_sha256 from budget where id = ${budget.id} and signed_pdf_status = 'ready'`
      )[0],
    'the signed PDF'
  )
  await instance.sql`
    update budget set status = 'accepted', decided_at = now(), signed_pdf_status = 'ready', signed_pdf_key = ${stored.signed_pdf_key}, signed_pdf_sha256 = ${stored.signed_pdf_sha256}
    where id = any(${ids})`
}
