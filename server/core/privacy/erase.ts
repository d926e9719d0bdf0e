import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Sql } from 'postgres'
import { isProblem, problem, type CoreEvents, type Ctx, type Erasure, type Person } from '@svc/kit'
import { emailForms } from '@svc/kit/address-forms'
import { emailKey } from '@svc/kit/addresses'
import type { ErasureReport } from '../../../shared/contract.ts'
import { OPERATOR, type By } from '../people/accounts/record-account.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { createCtx, inContext, type Connection } from '../modules/context.ts'
import { stepBesideBoot } from '../db/lock.ts'
import { rowsOf } from '../db/rows.ts'
import { CORE } from '../core-module.ts'
import { backupsFolder, listBackups } from '../modules/backup/backup.ts'
import type { RunningModule, Host } from '../host.ts'
import { isImporting, lockImports } from '../imports/lock.ts'
import { getPerson, type PersonQuery } from './find.ts'
import { findMails, REMOVE_LETTERS, removeMails, mailFilterOf, type MailFilter } from '../mail/remove-mail-files.ts'
import { findLeftovers, assertAllRun } from './modules.ts'
import { emptyOwnRows, holdLines, listIdsInJobs, personalMembers } from './own-data.ts'

export interface EraseOrder extends PersonQuery {
  dry_run: boolean
  /** The member of staff; null is the operator. */ by: string | null
  /** The same for the audit log. */ who?: By
}

const WAIT_S = 15

/**
 * Erases a person's data in all modules and in the core's own rows, in one transaction: if a module refuses or does not
 * run, nothing changes. Safe to repeat. Throws `not_found`, `module_not_running`, `modules_busy`, `erasure_blocked`,
 * and the problem of a module that refuses.
 */
export async function erasePerson(host: Host, order: EraseOrder): Promise<ErasureReport> {
  const { report, mails } = await inOneTransaction(host, order)
  if (order.dry_run) return report
  host.log.info('privacy.erased', {
    person: report.person.id,
    by: order.by ?? 'operator',
    held: report.held.length
  })
  // Where a server runs, the job would do it too, so a failure here is left to the job.
  await removeMails(host, mails).catch((error: unknown) => host.log.warn('privacy.letters', { error }))
  return report
}

interface Done { report: ErasureReport, mails: MailFilter }

async function inOneTransaction(host: Host, order: EraseOrder): Promise<Done> {
  try {
    return await stepBesideBoot(host.db, WAIT_S * 1000, async ({ db, sql }) => {
      const done = await eraseIn(host, { db, sql: sql as unknown as Sql }, order)
      if (order.dry_run) throw new Rehearsed(done)
      return done
    })
  } catch (error) {
    if (error instanceof Rehearsed) return error.done
    if (isLockTimeout(error)) throw problem('erasure_blocked')
    throw error
  }
}

const LOCK_NOT_AVAILABLE = '55P03'

/** Drizzle wraps what the database says. */
const isLockTimeout = (error: unknown) =>
  [error, (error as { cause?: unknown }).cause].some(
    thrown => (thrown as { code?: unknown } | undefined)?.code === LOCK_NOT_AVAILABLE
  )

/** Rolls a dry run back. */
class Rehearsed extends Error {
  readonly done: Done
  constructor(done: Done) {
    super('rehearsed')
    this.done = done
  }
}

async function eraseIn(host: Host, connection: Connection, order: EraseOrder): Promise<Done> {
  const { registry, config } = host
  const ctxOf = (module: RunningModule): Ctx =>
    createCtx(host, inContext(module), connection)
  const person = await getPerson(registry, order, ctxOf)
  await assertAllRun(connection.sql, registry)
  const concerned = { ...person, members: personalMembers(registry) }
  await holdLines(connection.db, concerned, WAIT_S)
  await lockImports(connection.db, person.clinic_id)
  if (await isImporting(connection.db, person.clinic_id)) throw problem('erasure_blocked')

  const answers: { module: string, erasure: Erasure }[] = []
  for (const module of registry.modules.toReversed()) {
    const erasure = await eraseInModule(module, ctxOf(module), person, order.dry_run)
    if (erasure) answers.push({ module: module.name, erasure })
  }
  const named = answers.flatMap(({ erasure }) => erasure.letters ?? [])
  const mails = mailFilterOf(host, [
    ...(await withoutUsers(connection.db, named)),
    { ids: await listIdsInJobs(connection.db, concerned) }
  ])
  const own = await emptyOwnRows(connection.db, concerned, named.flatMap(({ ids = [] }) => ids))
  const files = await findMails(host, mails)
  await publishErasure(host, connection, { person, by: order.by, mails })
  const follow_up = answers.flatMap(({ module, erasure }) =>
    (erasure.follow_up ?? []).map(entry => ({ module, ...entry })))

  const report = {
    dry_run: order.dry_run,
    person: { id: person.id },
    erased: [
      ...answers.flatMap(({ module, erasure }) => erasure.erased.map(entry => ({ module, ...entry }))),
      ...own.map(entry => ({ module: CORE, ...entry }))
    ].filter(({ count }) => count > 0),
    held: answers.flatMap(({ module, erasure }) => erasure.held.map(entry => ({ module, ...entry }))),
    letters: files.length,
    backups: await findBackupsOf(config, person.id),
    left: await findLeftovers(connection.sql, registry),
    ...follow_up.length > 0 ? { follow_up } : {}
  }
  await recordErasure(host, connection, person, order)
  return { report, mails }
}

/**
 * Records the name only as a salted digest. Runs last: until the end of the transaction no one else can append to the
 * log.
 */
async function recordErasure(
  host: Host,
  { db }: Connection,
  { clinic_id, id, name }: Person,
  { who = OPERATOR }: EraseOrder
): Promise<void> {
  const target = { kind: 'person', id }
  await recordAudit(host, db, { clinic_id, ...who, action: 'person_erased', target, personal: { name } })
}

/** A mail to a member, perhaps an invitation, does not belong to the patient, even if the address is the same. */
async function withoutUsers(
  db: Connection['db'],
  mails: NonNullable<Erasure['letters']>[]
): Promise<NonNullable<Erasure['letters']>[]> {
  const asked = mails.flatMap(({ to = [] }) => to.flatMap(emailForms))
  const rows = await rowsOf<{ email: string }>(db, sql`select email from core_user where email in (select jsonb_array_elements_text(${JSON.stringify(asked)}::text::jsonb))`)
  const users = new Set(rows.map(({ email }) => emailKey(email)))
  return mails.map(({ to = [], ids = [] }) => ({
    to: to.filter(address => !users.has(emailKey(address))),
    ids
  }))
}

/** If a module throws anything but a problem, it has a bug, and the error names the module. */
async function eraseInModule(
  { name, definition }: RunningModule,
  ctx: Ctx,
  person: Person,
  dry_run: boolean
): Promise<Erasure | undefined> {
  try {
    return await definition.hooks?.erase?.(ctx, person, { dry_run })
  } catch (error) {
    if (isProblem(error)) throw error
    throw new Error(`the module ${name} could not erase the person's data: nothing was changed`, { cause: error })
  }
}

/**
 * Publishes that the erasure happened, for whom and by whom, without a name, as an event for modules and webhooks, so
 * that other systems can erase the person's data too. Then queues the job for the files.
 */
async function publishErasure(
  { events, jobs }: Host,
  { db }: Connection,
  { person, by, mails }: { person: Person, by: string | null, mails: MailFilter }
): Promise<void> {
  const erased = { clinic_id: person.clinic_id, patient_id: person.id, erased_by: by }
  await events.publish(db, 'person.erased', erased satisfies CoreEvents['person.erased'], { key: person.id })
  if (mails.to.length + mails.ids.length > 0) await jobs(CORE).add(db, REMOVE_LETTERS, mails)
}

async function findBackupsOf(config: Host['config'], id: string): Promise<string[]> {
  const names: string[] = []
  for (const { file } of await listBackups(config)) {
    if (await holds(join(backupsFolder(config), file), id)) names.push(file)
  }
  return names
}

/** A backup is as large as a module: it is read in pieces, and a match across two pieces is found too. */
async function holds(file: string, id: string): Promise<boolean> {
  let before = ''
  for await (const chunk of createReadStream(file, 'latin1')) {
    const text = before + String(chunk)
    if (text.includes(id)) return true
    before = text.slice(-id.length)
  }
  return false
}
