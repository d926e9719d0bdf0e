import type { ModuleDefinition } from '@svc/kit'
import { LockLostError, type BootLock } from '../db/lock.ts'
import type { Host } from '../host.ts'
import { backupPath, findNote } from './backup/backup.ts'
import { findChanged } from './backup/find-changed.ts'
import type { Discovered } from './discover.ts'
import { loadDefinition, type Bundled } from './load.ts'
import { findOrphans, OrphanError } from './orphans.ts'
import { decideOperation, planBoot, type Outcome, type Planned, type PlanModule } from './plan.ts'
import { createRegistry } from './registry.ts'
import { stepsOf, type StepName } from './states.ts'
import { createHookCtx, loadForStep, STEPS, type Complete, type OperationInput } from './steps.ts'
import {
  beginStep,
  completedSteps,
  ensurePending,
  findBackupOf,
  finishStep,
  insertModule,
  readModules,
  recordError,
  returnFromRemoval,
  type ModuleRow
} from './store.ts'

export interface Processing {
  host: Host
  lock: BootLock
  discovered: Discovered[]
  bundled: Bundled
  /** Aborted when the process is to stop. The current step is finished or rolled back, and the next boot continues. */
  signal?: AbortSignal
}

/**
 * The part of the boot between the core's migrations and the start of the modules, under the boot lock. It adds rows
 * for new official modules, stops if there are orphans, and then processes every pending row in order. If a module
 * fails, the failure is recorded and the others continue. Throws OrphanError, LockLostError, or the database's error if
 * not even the failure could be recorded.
 */
export async function processPending(processing: Processing): Promise<void> {
  const { lock, discovered, signal = new AbortController().signal } = processing
  const rows = await lock.step(({ sql }) => scheduleOfficial(sql, discovered))
  const orphans = findOrphans(rows, discovered)
  if (orphans.length > 0) throw new OrphanError(orphans)

  const outcomes = new Map<string, Outcome>()
  for (const planned of planBoot(toPlan(rows, discovered))) {
    signal.throwIfAborted()
    outcomes.set(planned.name, await runOperation({ ...processing, signal }, planned, outcomes))
  }
}

/** All rows, including those of new official modules. */
async function scheduleOfficial(
  sql: Parameters<typeof insertModule>[0],
  discovered: Discovered[]
): Promise<ModuleRow[]> {
  const rows = await readModules(sql)
  const known = new Set(rows.map(({ name }) => name))
  const missing = discovered.filter(
    ({ name, bundled, manifest }) => bundled && manifest?.auto_install && !known.has(name)
  )
  for (const { name, manifest } of missing) await insertModule(sql, { name, category: manifest!.category })
  return missing.length > 0 ? await readModules(sql) : rows
}

/** The current rows. */
const readPlan = async ({ lock, discovered }: Processing) =>
  toPlan(await lock.step(({ sql }) => readModules(sql)), discovered)

/** The dependencies of a pending install are read from the disk, those of an installed module from its row. */
function toPlan(rows: ModuleRow[], discovered: Discovered[]): PlanModule[] {
  return rows.map(({ name, state, manifest }) => {
    const disk = discovered.find(module => module.name === name)?.manifest
    const source = state === 'to_install' || state === 'to_upgrade' ? disk ?? manifest : manifest ?? disk
    return { name, state, depends: source?.depends ?? [] }
  })
}

async function runOperation(
  processing: Processing & { signal: AbortSignal },
  planned: Planned,
  outcomes: ReadonlyMap<string, Outcome>
): Promise<Outcome> {
  const input = await prepare(processing, planned)
  const { lock, pending, module, host } = input
  const done = await lock.step(({ sql }) => completedSteps(sql, pending.operation_id))
  if (await isBackupOutdated(input, done)) done.delete('backup')
  const steps = stepsOf(planned.operation, pending).filter(step => !done.has(step))
  const first = steps[0]
  if (!first) return 'done'

  const verdict = decideOperation(planned, await readPlan(processing), outcomes, pending)
  if (!verdict.go) return recordRefusal(input, first, verdict)
  if (!module.manifest)
    return recordRefusal(input, first, { status: 'failed', reason: `the manifest is broken: ${module.error}` })
  if (planned.operation === 'uninstall' && done.size === 0 && (await isVetoed(input))) return 'failed'

  for (const step of steps) {
    if (processing.signal.aborted) return 'skipped'
    const isDone = await runStep(input, step)
    if (!isDone) return 'failed'
  }
  host.log.info('module.operation', { module: planned.name, operation: planned.operation })
  return 'done'
}

/**
 * An uninstall that was stopped after its backup, by an error or the end of a process, continues at a later start.
 * Meanwhile, other instances may have run the module. If they wrote to its tables, or if the file is missing, a new
 * backup is needed.
 */
async function isBackupOutdated(
  { host, lock, pending }: OperationInput,
  done: ReadonlySet<StepName>
): Promise<boolean> {
  if (!done.has('backup') || done.has('lifecycle')) return false
  const file = await lock.step(({ sql }) => findBackupOf(sql, pending.operation_id))
  if (file === null) return false
  const note = await findNote(backupPath(host.config, file))
  return note === null || (await lock.step(({ sql }) => findChanged(sql, note))) !== null
}

async function prepare(processing: Processing & { signal: AbortSignal }, planned: Planned): Promise<OperationInput> {
  const { host, lock, discovered, bundled, signal } = processing
  const rows = await lock.step(({ sql }) => readModules(sql))
  const row = rows.find(({ name }) => name === planned.name)!
  const module = discovered.find(({ name }) => name === planned.name)!
  const isPresent = new Set(
    rows.filter(({ name, state }) => state !== 'uninstalled' && name !== row.name).map(({ name }) => name)
  )
  let loaded: Promise<ModuleDefinition> | undefined
  return {
    host, lock, row, module, signal,
    operation: planned.operation,
    pending: await lock.step(({ sql }) => ensurePending(sql, row)),
    others: discovered.filter(({ name }) => isPresent.has(name)),
    definition: () => loaded ??= loadDefinition(module, bundled),
    enter: async () => { host.registry = await createRegistry({ host, discovered, bundled, serves: false }) }
  }
}

/** The start is logged in a transaction of its own. The step's work and its `completed` row commit together. */
async function runStep(input: OperationInput, step: StepName): Promise<boolean> {
  const { lock, host, operation, row } = input
  const started = performance.now()
  const { id, attempt } = await lock.step(({ sql }) => beginStep(sql, keyOf(input, step)))
  const about = () => ({ module: row.name, operation, step, attempt, ms: Math.round(performance.now() - started) })
  let status: 'completed' | 'skipped' = 'completed'
  const complete: Complete = (tx, detail, as = 'completed') => {
    status = as
    return finishStep(tx.sql, id, as, detail)
  }
  try {
    await STEPS[step](input, complete, id)
    host.log.info('module.step', { ...about(), status })
    return true
  } catch (error) {
    if (error instanceof LockLostError) throw error
    await recordFailure(input, id, 'failed', describe(error))
    host.log.error('module.step', { ...about(), status: 'failed', error: describe(error).error })
    return false
  }
}

async function recordRefusal(
  input: OperationInput,
  step: StepName,
  { status, reason }: { status: 'failed' | 'skipped', reason: string }
): Promise<Outcome> {
  const { id } = await input.lock.step(({ sql }) => beginStep(sql, keyOf(input, step)))
  await recordFailure(input, id, status, status === 'failed' ? { error: reason } : { reason })
  input.host.log.error('module.step', {
    module: input.row.name,
    operation: input.operation,
    step,
    status,
    error: reason
  })
  return status
}

/** The row of a skipped module gets no error: the cause is in the row of the module that failed. */
async function recordFailure(
  { lock, row }: OperationInput,
  id: string,
  status: 'failed' | 'skipped',
  detail: { error?: string, reason?: string, code?: string }
): Promise<void> {
  await lock.step(async ({ sql }) => {
    await finishStep(sql, id, status, detail)
    if (detail.error !== undefined) await recordError(sql, row.name, detail.error)
  })
}

/**
 * Checked before any step runs. `force` overrides reasons that are not hard. If refused, the module stays installed.
 */
async function isVetoed(input: OperationInput): Promise<boolean> {
  const { lock, row, pending, host } = input
  const [first] = stepsOf('uninstall', pending)
  try {
    const { definition, reason } = await loadForStep(input)
    if (!definition) host.log.warn('module.hooks_skipped', { module: row.name, reason })
    const veto = definition?.hooks?.before_uninstall
    if (!veto) return false
    await input.enter()
    const reasons = await lock.step(tx => veto(createHookCtx(input, tx, null)))
    const standing = reasons.filter(({ hard }) => hard || !pending.force).map(({ reason }) => reason)
    if (standing.length === 0) return false
    await refuseRemoval(input, first!, standing.join('; '))
  } catch (error) {
    if (error instanceof LockLostError) throw error
    await recordRefusal(input, first!, { status: 'failed', reason: describe(error).error })
  }
  host.log.warn('module.removal_refused', { module: row.name })
  return true
}

/**
 * The log's row and the module's commit together, so that after a crash the next boot either repeats the check or finds
 * its result.
 */
async function refuseRemoval(input: OperationInput, step: StepName, reason: string): Promise<void> {
  await input.lock.step(async ({ sql }) => {
    const { id } = await beginStep(sql, keyOf(input, step))
    await finishStep(sql, id, 'failed', { error: reason })
    await returnFromRemoval(sql, input.row.name, input.pending, reason)
  })
}

const keyOf = ({ row, operation, pending }: OperationInput, step: StepName) => ({
  module_name: row.name,
  operation,
  operation_id: pending.operation_id,
  step
})

function describe(error: unknown): { error: string, code?: string } {
  const message = error instanceof Error ? error.message : String(error)
  const code = (error as { code?: unknown } | null)?.code
  return { error: message, ...(typeof code === 'string' ? { code } : {}) }
}
