import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { problem } from '@svc/kit'
import type { Sql, TransactionSql } from 'postgres'
import { recordAudit } from '../audit/record-audit.ts'
import type { By } from '../people/accounts/record-account.ts'
import type { Macs } from '../audit/chain.ts'
import type { Config } from '../config.ts'
import { shareBootLock } from '../db/lock.ts'
import { endDeliveries } from '../events/end-deliveries.ts'
import { describeRights } from './decisions/describe-rights.ts'
import { discover } from './discover.ts'
import { describeForeignTrigger, findForeignTriggers } from './foreign-triggers.ts'
import {
  adoptionReasons,
  hostReasons,
  installChain,
  isSamePending,
  isUpgradable,
  tablesOfItem,
  toItems,
  uninstallReasons,
  upgradeReasons,
  type Facts,
  type Item,
  type Items
} from './guards.ts'
import { changeRow, countRows, namesOfTables, operationsBegun, type Change } from './pending.ts'
import { planBoot } from './plan.ts'
import { refusal, textOf, type Reason } from './refusal.ts'
import { stepsOf, type ModuleState, type Operation, type StepName } from './states.ts'
import { beforeRemoval, readModules, type ModuleRow, type Pending } from './store.ts'

/**
 * The commands that schedule operations: they change rows, and a restart does the work. The command line and
 * `/api/v1/modules/{name}/…` share this implementation.
 */
export const COMMANDS = ['install', 'upgrade', 'uninstall', 'orphan', 'cancel'] as const
export type Command = typeof COMMANDS[number]
export interface CommandRequest {
  command: Command
  name: string
  force?: boolean
  keep_data?: boolean
  dry_run?: boolean
}

export interface PlanStep {
  name: string
  operation: Operation
  steps: readonly StepName[]
  tables: { name: string, rows: number | null }[]
}
export interface Scheduled {
  /** Modules whose rows changed, in the order in which the restart processes them. */
  scheduled: string[]
  requires_restart: boolean
  /** One sentence with further information. */
  message?: string
  /** With `dry_run` only: everything that the next restart would do, in order. */
  plan?: PlanStep[]
  /** With `dry_run` only: why the command would be refused. */
  guardrails?: string[]
}

/** `answer` goes to the caller. `changed`: a row was changed. */
export interface Outcome { changed: boolean, answer: Scheduled }

interface CommandHost {
  sql: Sql
  config: Pick<Config, 'root' | 'storage'>
  /** The version of this service. */
  version: string
  /** For the audit log. Not called by a dry run. */
  secrets: () => Macs
  who: By
}

type Decision
  = | { kind: 'nothing', message: string }
    | { kind: 'refused', reasons: Reason[], hint?: string }
    | { kind: 'change', changes: Change[], message?: string, requires_restart?: boolean }

type Decide = (item: Item, items: Items, facts: Facts, options: { force: boolean, keep_data: boolean }) => Decision

const NOTHING = 'Nothing to do.'
const LOCK_TIMEOUT_MS = 5000

/**
 * Throws `not_found` for a name that is neither on disk nor in the database, `module_refused` with every reason that
 * applies, and `modules_busy` while an instance processes modules.
 */
export async function runCommand(host: CommandHost, request: CommandRequest): Promise<Outcome> {
  const discovered = await discover(host.config)
  return shareBootLock(host.sql, LOCK_TIMEOUT_MS, async (tx) => {
    const rows = await readModules(tx)
    const items = toItems(rows, discovered)
    const item = items.get(request.name)
    if (!item) throw problem('not_found', { detail: `There is no module "${request.name}".` })
    const facts: Facts = {
      version: host.version,
      core_migrations: join(host.config.root, 'drizzle'),
      begun: await operationsBegun(tx),
      tables: await namesOfTables(tx)
    }
    const options = { force: request.force ?? false, keep_data: request.keep_data ?? false }
    const decision = withNotes(DECIDE[request.command](item, items, facts, options), items)
    if (request.dry_run) return { changed: false, answer: await rehearse(tx, decision, items, facts) }
    return { changed: decision.kind === 'change', answer: await applyDecision(host, tx, { decision, request, facts }) }
  })
}

/** Adds what the operator should know about the changed modules: their rights, and triggers on others' tables. */
function withNotes(decision: Decision, items: Items): Decision {
  if (decision.kind !== 'change') return decision
  const ownerOf = (table: string) => [...items.values()].find(item => tablesOfItem(item).includes(table))?.name ?? null
  const names = new Set(decision.changes.map(({ name }) => name))
  const notes = [...items.values()]
    .filter(({ name, state, disk }) => disk && (names.has(name) || state !== 'uninstalled'))
    .flatMap(({ disk }) => findForeignTriggers(disk!).map(found => ({ found, owner: ownerOf(found.table) })))
    .filter(({ found, owner }) => names.has(found.module) || (owner !== null && names.has(owner)))
    .map(({ found, owner }) => describeForeignTrigger(found, owner))
  const rights = decision.changes.flatMap(({ name, state }) => {
    const manifest = state === 'to_install' || state === 'to_upgrade' ? items.get(name)?.disk?.manifest : null
    return manifest ? describeRights(manifest) : []
  })
  const message = [decision.message, ...rights, ...notes].filter(Boolean).join(' ')
  return message ? { ...decision, message } : decision
}

async function applyDecision(
  { secrets, who }: CommandHost,
  tx: TransactionSql,
  { decision, request, facts }: { decision: Decision, request: CommandRequest, facts: Facts }
): Promise<Scheduled> {
  if (decision.kind === 'nothing') return { scheduled: [], requires_restart: false, message: decision.message }
  if (decision.kind === 'refused') throw refusal(request, decision)
  for (const change of decision.changes) await changeRow(tx, change)
  if (request.command === 'orphan') await endDeliveries(tx, request.name)
  // A command of a newer release can run before the start that adds the audit log.
  if (!facts.tables.has('core_audit_head')) return toScheduled(decision)
  await recordAudit({ secrets: secrets() }, tx, {
    clinic_id: null,
    ...who,
    action: 'module_operation',
    target: { kind: 'module', id: request.name },
    detail: {
      operation: request.command,
      status: 'scheduled',
      modules: decision.changes.map(({ name }) => name),
      ...request.force ? { force: true } : {},
      ...request.keep_data ? { keep_data: true } : {}
    }
  })
  return toScheduled(decision)
}

function toScheduled({ changes, message, requires_restart = true }: Extract<Decision, { kind: 'change' }>): Scheduled {
  return {
    scheduled: requires_restart ? changes.map(({ name }) => name) : [],
    requires_restart,
    ...(message ? { message } : {})
  }
}

/** Changes nothing. */
async function rehearse(tx: TransactionSql, decision: Decision, items: Items, facts: Facts): Promise<Scheduled> {
  const changes = decision.kind === 'change' ? decision.changes : []
  const after = [...items.values()].map((item) => {
    const change = changes.find(({ name }) => name === item.name)
    const state: ModuleState = change?.state ?? item.state
    // A module that will be installed or upgraded uses its manifest on disk.
    const depends
      = state === 'to_install' || state === 'to_upgrade' ? (item.disk?.manifest?.depends ?? item.depends) : item.depends
    return { name: item.name, state, depends, pending: change ? change.pending : item.row?.pending ?? null }
  })
  const plan: PlanStep[] = []
  for (const { name, operation } of planBoot(after)) {
    const pending = after.find(module => module.name === name)!.pending
    const tables = await countRows(tx, tablesOfItem(items.get(name)!), facts.tables)
    plan.push({ name, operation, steps: stepsOf(operation, { keep_data: pending?.keep_data ?? false }), tables })
  }
  return {
    ...(decision.kind === 'change' ? toScheduled(decision) : { scheduled: [], requires_restart: false }),
    ...(decision.kind === 'nothing' ? { message: decision.message } : {}),
    plan,
    guardrails: decision.kind === 'refused' ? decision.reasons.map(textOf) : []
  }
}

// ---------------------------------------------------------------- the five decisions

const DECIDE: Record<Command, Decide> = { install, upgrade, uninstall, orphan, cancel }

const nothing = (message = NOTHING): Decision => ({ kind: 'nothing', message })
const refused = (reasons: Reason[], hint?: string): Decision => ({ kind: 'refused', reasons, hint })
const newPending = (options: { force?: boolean, keep_data?: boolean } = {}) => ({
  operation_id: randomUUID(),
  ...options
})

function install(item: Item, items: Items, facts: Facts): Decision {
  if (item.state === 'installed' || item.state === 'to_upgrade') return nothing()
  const { names, reasons } = installChain(item.name, items)
  const chain = names.map(name => items.get(name)!)
  const all = [
    ...reasons,
    ...chain.flatMap(member => [...hostReasons(member, items, facts), ...adoptionReasons(member, facts)])
  ]
  if (all.length > 0) return refused(all)
  const missing = chain.filter(({ state }) => state === 'uninstalled')
  if (missing.length === 0)
    return nothing(`${NOTHING} ${item.name} is scheduled for install already; a restart applies it.`)
  return {
    kind: 'change',
    changes: missing.map(({ name, disk }) => ({
      name,
      state: 'to_install',
      pending: newPending(),
      category: disk!.manifest!.category
    }))
  }
}

function upgrade(item: Item, items: Items, facts: Facts): Decision {
  const { name, state } = item
  if (state === 'to_upgrade')
    return nothing(`${NOTHING} ${name} is scheduled for upgrade already; a restart applies it.`)
  if (state === 'uninstalled')
    return refused(
      [{ why: `${name} is not installed`, fix: `Run svc modules install ${name}.` }],
      `svc modules install ${name}`
    )
  if (state !== 'installed') {
    const fix = `Restart the service to complete it, or run svc modules cancel ${name}.`
    return refused(
      [{ why: `${name} has a pending ${state === 'to_install' ? 'install' : 'removal'}`, fix }],
      `restart, or svc modules cancel ${name}`
    )
  }
  const reasons = upgradeReasons(item, items)
  if (reasons.length > 0) return refused(reasons)
  if (!isUpgradable(item)) return nothing('Module is already at the declared version.')
  const ofHost = hostReasons(item, items, facts)
  if (ofHost.length > 0) return refused(ofHost)
  return { kind: 'change', changes: [{ name, state: 'to_upgrade', pending: newPending() }] }
}

function uninstall(item: Item, items: Items, facts: Facts, options: { force: boolean, keep_data: boolean }): Decision {
  const { name, state, row } = item
  if (state === 'uninstalled') return nothing()
  if (state === 'to_remove') {
    if (isSamePending(row!.pending, options))
      return nothing(`${NOTHING} ${name} is scheduled for uninstall already; a restart applies it.`)
    if (facts.begun.has(name))
      return refused(
        [{ why: `the removal of ${name} has begun, so its options cannot be changed`, fix: 'Restart the service to continue it.' }],
        'restart to continue it'
      )
  }
  if (state === 'to_install' && !facts.begun.has(name))
    return refused(
      [{ why: `${name} is not installed yet`, fix: `Run svc modules cancel ${name}.` }],
      `svc modules cancel ${name}`
    )
  const reasons = uninstallReasons(item, items, options)
  if (reasons.length > 0) return refused(reasons)
  return {
    kind: 'change',
    changes: [{ name, state: 'to_remove', pending: { ...newPending(options), ...unfinished(row!) } }]
  }
}

/** The unfinished operation that an uninstall replaces, also if its options change. */
function unfinished({ state, pending }: ModuleRow): Pick<Pending, 'instead_of'> {
  if (state === 'to_remove') return pending?.instead_of ? { instead_of: pending.instead_of } : {}
  return (state === 'to_install' || state === 'to_upgrade') && pending
    ? { instead_of: { state, operation_id: pending.operation_id } }
    : {}
}

/** Runs no step and waits for nothing. A restart is needed only to start the modules that the orphan has stopped. */
function orphan({ name, state, disk }: Item): Decision {
  if (disk)
    return refused(
      [{ why: `the code of ${name} is on disk`, fix: `Run svc modules uninstall ${name}.` }],
      `svc modules uninstall ${name}`
    )
  if (state === 'uninstalled') return nothing()
  return { kind: 'change', changes: [{ name, state: 'uninstalled', pending: null }] }
}

function cancel({ name, state, row, disk, depends }: Item, items: Items, { begun }: Facts): Decision {
  const label = { to_install: 'install', to_upgrade: 'upgrade', to_remove: 'uninstall' }[state as string]
  if (!label) {
    // A refused uninstall has left its error; the module runs.
    if (state !== 'installed' || !row!.error_message) return nothing()
    return {
      kind: 'change',
      changes: [{ name, state: 'installed', pending: null }],
      message: `Cleared the error of ${name}.`,
      requires_restart: false
    }
  }
  if (begun.has(name)) {
    const hint = afterFirstStep({ name, state, disk })
    return refused(
      [
        {
          why: `the ${label} of ${name} has completed a step and cannot be cancelled`,
          fix: `${hint[0]!.toUpperCase()}${hint.slice(1)}.`
        }
      ],
      hint
    )
  }
  const stranded = cancelConflicts({ name, state, depends }, items)
  if (stranded.length > 0) return refused(stranded)
  const before = stateBefore(row!)
  return {
    kind: 'change',
    changes: [{ name, ...before }],
    message: `Cancelled the ${label} of ${name}.${before.pending ? ' The operation that it had begun before is pending again.' : ''}`,
    requires_restart: before.pending !== null
  }
}

/** Describes what is still possible with an operation that has begun. */
function afterFirstStep({ name, state, disk }: Pick<Item, 'name' | 'state' | 'disk'>): string {
  const continuation = 'fix the cause and restart: it continues at the first incomplete step'
  if (state !== 'to_install') return continuation
  const isRemovable = disk?.manifest && (disk.manifest.migrations || !disk.bundled)
  return isRemovable ? `${continuation}; or remove it: svc modules uninstall ${name} --force` : continuation
}

function stateBefore({ state, pending }: ModuleRow): Pick<Change, 'state' | 'pending'> {
  if (state === 'to_install') return { state: 'uninstalled', pending: null }
  return beforeRemoval(state === 'to_remove' ? pending : null)
}

/** Operations that were planned together are cancelled in order, so that the next restart never finds half a plan. */
function cancelConflicts({ name, state, depends }: Pick<Item, 'name' | 'state' | 'depends'>, items: Items): Reason[] {
  if (state === 'to_install') {
    const waiting = [...items.values()].filter(
      item => (item.state === 'to_install' || item.state === 'to_upgrade') && item.depends.includes(name)
    )
    return waiting.map(item => ({
      why: `${name} is required by ${item.name}, which is scheduled too`,
      action: `svc modules cancel ${item.name}`
    }))
  }
  if (state !== 'to_remove') return []
  const leaving = depends.filter(
    dependency => items.get(dependency)?.state === 'to_remove' && !items.get(dependency)!.row!.pending?.force
  )
  return leaving.map(dependency => ({
    why: `${name} needs ${dependency}, which is scheduled for removal`,
    action: `svc modules cancel ${dependency}`
  }))
}
