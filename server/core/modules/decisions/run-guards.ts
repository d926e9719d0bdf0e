import { isProblem, problem, type Ctx, type Guard, type Problem, type Step } from '@svc/kit'
import { forbidCalls } from '../../db/guarded/outgoing-calls.ts'
import { bindToTransaction } from '../../db/guarded/bind-to-transaction.ts'
import { runInSavepoint } from '../../db/guarded/run-in-savepoint.ts'
import { withTimeout } from '../../db/guarded/with-timeout.ts'
import type { GuardOfStep, Host, RunningModule } from '../../host.ts'
import { toDatabaseProblem } from '../../http/database-problems.ts'
import { coreProblems, withTable } from '../../http/problems.ts'
import { watchHandler } from '../../watch-handler.ts'
import type { Connection } from '../context.ts'

/** For each guard. People wait for the answer, and the row of the decision stays locked. */
const TIMEOUT_MS = 2000

type CtxOf = (module: RunningModule, through: Connection) => Ctx

/** `ctx.steps` of a module. `ctxOf` makes the context of a guard. */
export function createSteps(host: Host, module: string, ctxOf: CtxOf): Ctx['steps'] {
  return {
    async check(tx, name, given) {
      const payload = readPayload(host, { module, name, given })
      for (const guard of host.registry.guards(name)) {
        try {
          await runGuard(host, guard, { name, payload, tx, ctxOf })
        } catch (error) {
          throw toRefusal(host, guard, name, error)
        }
      }
    }
  }
}

function readPayload({ registry }: Host, { module, name, given }: { module: string, name: string, given: unknown }) {
  const step = registry.get(module)?.definition.steps?.[name]
  if (!step) throw new Error(`the module ${module} has no step ${name}`)
  const read = step.payload.safeParse(given)
  if (read.success) return read.data as unknown
  const faults = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Error(`the payload of ${name} does not fit its schema: ${faults.join('; ')}`)
}

interface GuardCall { name: string, payload: unknown, tx: Parameters<typeof runInSavepoint>[0], ctxOf: CtxOf }

async function runGuard(host: Host, { module, running }: GuardOfStep, asked: GuardCall): Promise<void> {
  if (!running) throw new Error('it does not run')
  const { name, ctxOf } = asked
  const guard: Guard = running.definition.before![name]!
  await runInSavepoint(asked.tx, TIMEOUT_MS, async ({ tx, connection }) => {
    const ctx = bindToTransaction(host, ctxOf(running, connection), tx)
    // A copy, so that no guard changes what the next one reads.
    const step: Step = { name, payload: structuredClone(asked.payload), tx }
    await withTimeout(TIMEOUT_MS, () => forbidCalls(() =>
      watchHandler(host.log, { module, endpoint: `before ${name}` }, () => guard(ctx, step))))
  })
}

/**
 * The guard's problem with its module's name, if it is one of its own table or a refusal of the host's. Everything else
 * is `module_errored`, unless the database itself fails.
 */
function toRefusal({ log }: Host, { module, running }: GuardOfStep, step: string, error: unknown): unknown {
  const known = isProblem(error) ? findProblem(running, error) : null
  if (isProblem(error) && known) {
    log.info('step.refused', { module, step, problem: error.code })
    const detail = error.fields.detail ?? known.detail ?? `${known.title}.`
    return withTable(problem(error.code, { ...error.fields, detail, module }), { [error.code]: known })
  }
  if (toDatabaseProblem(error, {})?.code.startsWith('database_')) return error
  log.error('step.errored', { module, step, error })
  return Object.assign(problem('module_errored', { module }), { cause: error })
}

function findProblem(running: RunningModule | null, { code }: Problem) {
  const own = running?.definition.problems ?? {}
  if (Object.hasOwn(own, code)) return own[code]!
  const general = Object.hasOwn(coreProblems, code) ? coreProblems[code]! : null
  return general && general.status < 500 ? general : null
}
