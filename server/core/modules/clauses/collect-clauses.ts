import { isProblem, problem, type AskClauses, type Clause, type ClausesAt, type Ctx, type ModuleClause } from '@svc/kit'
import type { Host, RunningModule } from '../../host.ts'
import { forbidCalls } from '../../db/guarded/outgoing-calls.ts'
import { bindToTransaction } from '../../db/guarded/bind-to-transaction.ts'
import { runInSavepoint } from '../../db/guarded/run-in-savepoint.ts'
import { withTimeout } from '../../db/guarded/with-timeout.ts'
import { toDatabaseProblem } from '../../http/database-problems.ts'
import type { Connection } from '../context.ts'
import { MAX_CLAUSES, readClauses } from './read-clauses.ts'

const TIMEOUT_MS = 2000

/** Makes the context of a module in the transaction. */
type CtxOf = (module: RunningModule, through: Connection) => Ctx
interface ClausesRequest { owner: string, place: string, at: ClausesAt, ctxOf: CtxOf }

/**
 * The clauses of all running modules for one document, dependencies first. A document that lacks a clause would be
 * worse than one that is fixed later, so no module is skipped. Throws `clauses_failed` and `too_many_clauses`.
 */
export async function collectClauses(host: Host, { owner, place, at, ctxOf }: ClausesRequest): Promise<ModuleClause[]> {
  if (!place.startsWith(`${owner}.`))
    throw new Error(`module ${owner} asks for clauses of ${place}, which is not its own document`)
  const broken = host.registry.broken.find(({ clauses }) => clauses.includes(place))
  if (broken) throw failed(broken.name)
  const given: ModuleClause[] = []
  for (const module of host.registry.modules) {
    const ask = module.definition.clauses?.[place]
    if (!ask) continue
    const answer = await askModule(host, { module, place, ask, at, ctxOf })
    given.push(...answer.map(clause => withModule(clause, module)))
  }
  assertClauseLimit(given)
  return given
}

const withModule = (clause: Clause, { name }: RunningModule): ModuleClause => ({ module: name, ...clause })

interface ModuleRequest { module: RunningModule, place: string, ask: AskClauses, at: ClausesAt, ctxOf: CtxOf }

async function askModule(host: Host, { module, place, ask, at, ctxOf }: ModuleRequest): Promise<Clause[]> {
  const { name } = module
  try {
    return readClauses(await runInSavepoint(at.tx, TIMEOUT_MS, async ({ tx, connection }) => {
      const ctx = bindToTransaction(host, ctxOf(module, connection), tx)
      return await withTimeout(TIMEOUT_MS, () => forbidCalls(async () => await ask(ctx, { ...at, tx })))
    }))
  } catch (error) {
    if (toDatabaseProblem(error, {})) throw error // the database's fault, not the module's
    host.log.error('clauses.failed', { module: name, place, error })
    throw failed(name, error)
  }
}

/** A module's own problem has a sentence for people. Anything else is for the log. */
function failed(module: string, error?: unknown) {
  const why = isProblem(error) && error.fields.detail ? ` ${error.fields.detail}` : ''
  return problem('clauses_failed', {
    detail: `The module ${module} could not give its conditions, so nothing was done.${why}`,
    module
  })
}

function assertClauseLimit(given: ModuleClause[]): void {
  if (given.length <= MAX_CLAUSES) return
  const counts = Map.groupBy(given, ({ module }) => module)
  const modules = Object.fromEntries([...counts].map(([name, { length }]) => [name, length]))
  const list = Object.entries(modules).map(([name, count]) => `${name} ${count}`).join(', ')
  throw problem('too_many_clauses', {
    detail: `At most ${MAX_CLAUSES} conditions fit, and there are ${given.length}: ${list}. Nothing was done.`,
    modules
  })
}
