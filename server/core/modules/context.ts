import * as drizzle from 'drizzle-orm'
import * as pgCore from 'drizzle-orm/pg-core'
import { problem, reply, type Ctx, type Db, type ModuleDefinition } from '@svc/kit'
import type { Sql } from 'postgres'
import { recordAudit } from '../audit/record-audit.ts'
import { createChannels } from '../channels/channels.ts'
import { createDeliveries } from '../channels/reports.ts'
import { createOutbox } from '../mail/outbox.ts'
import { clock } from '../clock.ts'
import { valuesOfEvents } from '../events/own-events.ts'
import type { Host, RunningModule } from '../host.ts'
import { createImports } from '../imports/imports.ts'
import type { Manifest } from '../manifest.ts'
import { createMayCall } from '../outgoing/hosts.ts'
import { createOutgoing } from '../outgoing/outgoing.ts'
import { collectClauses } from './clauses/collect-clauses.ts'
import { createSections } from './sections/collect-sections.ts'
import { createSteps } from './decisions/run-guards.ts'

const pg: Ctx['pg'] = { ...pgCore, ...drizzle }

/** What decides over a module's context. `definition` is for a module that does not run yet, in its own hooks. */
export type ContextOf = Pick<Manifest, 'name' | 'depends'> & Partial<Pick<Manifest, 'grants' | 'outgoing'>>
  & { definition?: () => Promise<ModuleDefinition> }

/** Where a context's statements run: in the pool, or in lifecycle hooks in the step's transaction. */
export interface Connection { db: Db, sql: Sql }

/**
 * A module's view of the host. `use` reaches only declared dependencies, and gives them the same connection, so that
 * the whole work of a hook is one transaction.
 */
export function createCtx(
  host: Host,
  module: ContextOf,
  connection?: Connection
): Ctx {
  const { db, sql } = connection ?? { db: host.db, sql: host.database.sql }
  const used = new Map<string, unknown>()
  const caller = { module: module.name, grants: module.grants ?? [] }

  function use(name: string) {
    if (!module.depends.includes(name))
      throw new Error(`module ${module.name} uses ${name} without naming it in depends`)
    if (used.has(name)) return used.get(name)
    const other = host.registry.get(name)
    if (!other) throw problem('module_errored', { detail: `The module ${name} is not running.` })
    const exported
      = other.definition.exports?.(connection ? createCtx(host, inContext(other), connection) : other.ctx, caller) ?? {}
    used.set(name, exported)
    return exported
  }

  const ctxOf = (other: RunningModule, through: Connection) => createCtx(host, inContext(other), through)

  const ctx: Ctx = {
    module: module.name,
    db,
    localTransaction: connection ? run => db.transaction(run) : host.localTransaction,
    sql,
    pg,
    events: {
      publish(tx, name, payload, options) {
        refuseForeign(module.name, name)
        return host.events.publish(tx, name, payload, options)
      },
      values: members => valuesOfEvents(db, { module: module.name, members })
    },
    clauses: { collect: (place, at) => collectClauses(host, { owner: module.name, place, at, ctxOf }) },
    audit: { record: (tx, entry) => recordAudit(host, tx, entry) },
    jobs: host.jobs(module.name),
    steps: createSteps(host, module.name, ctxOf),
    use: use as Ctx['use'],
    log: host.log,
    files: host.files,
    mail: host.mail,
    clock: { now: tx => clock.now(tx ?? db) },
    clinics: host.clinics,
    settings: host.settings(module, connection?.db),
    users: host.users,
    secrets: host.secrets,
    documents: host.documents,
    threads: host.threads,
    imports: createImports(host, module.name),
    http: createOutgoing(host, { module: module.name, mayCall: createMayCall(host, module) }),
    sections: createSections(host, module.name),
    channels: createChannels(host, () => ctx),
    deliveries: createDeliveries(host, module.name),
    outbox: createOutbox(host.config, () => clock.now(db)),
    base_url: host.config.base_url,
    problem,
    reply
  }
  return ctx
}

/** Only the owner of an event may publish it, because others rely on it. */
function refuseForeign(module: string, event: string): void {
  if (event.startsWith(`${module}.`)) return
  throw problem('foreign_event', {
    detail: `The module ${module} publishes events that begin with "${module}.", not "${event}".`
  })
}

/** What a context needs to know of a running module. */
export const inContext = ({ name, manifest }: Pick<RunningModule, 'name' | 'manifest'>): ContextOf =>
  ({ name, depends: manifest.depends, grants: manifest.grants, outgoing: manifest.outgoing })
