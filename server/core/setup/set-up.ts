import { and, eq, isNull, sql } from 'drizzle-orm'
import { isProblem, problem, type Client, type Cookie, type Problem, type Tx } from '@svc/kit'
import type { SetupRequest } from '../../../shared/setup.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { browserOf } from '../people/sign-in/browser-of.ts'
import { accountKey, deviceCookie } from '../people/sign-in/devices.ts'
import { hashPassword } from '../people/passwords/passwords.ts'
import { confirmedBy } from '../people/confirmation/proofs.ts'
import { createSession, endSessionsOf, type NewSession } from '../people/sessions/sessions.ts'
import { createClinic } from '../clinics/create-clinic.ts'
import { coreSetup, coreUser } from '../db/schema.ts'
import type { Host } from '../host.ts'
import { findStoppedModules } from '../privacy/modules.ts'
import { createUser } from '../people/accounts/create-user.ts'
import { changeUserRow } from '../people/accounts/write-user.ts'
import { refuseCode } from './check-code.ts'

export interface SetUp extends NewSession { clinic_id: string, user_id: string, device: Cookie }

/**
 * Creates the first clinic, its administrator, who also administers the instance, and the modules' initial data: all in
 * one transaction, once. Of parallel calls one wins. The lock on the clinics makes the others wait, and then they find
 * the clinic. Throws `not_found` if there is a clinic, `setup_code_wrong`, `too_many_requests`, `validation_failed`,
 * `account_unproven` or `module_errored`.
 */
export async function setUp(host: Host, request: SetupRequest, client: Client): Promise<SetUp> {
  await assertAllStart(host)
  const done = await host.db.transaction(async (tx) => {
    const refused = await refuseCode({ tx, secrets: host.secrets }, request.code)
    return refused ? { refused } : { made: await make(host, tx, { ...request, client }) }
  })
  if ('refused' in done) throw done.refused as Problem
  const account = accountKey(host.secrets, request.admin.email)
  return { ...done.made, device: await deviceCookie(host, { account, device: null }) }
}

async function make(
  host: Host,
  tx: Tx,
  { clinic, admin, catalogue = 'none', client }: SetupRequest & { client: Client }
): Promise<Omit<SetUp, 'device'>> {
  const { secrets } = host
  const { country, ...rest } = clinic
  const { id: clinic_id } = await createClinic({ db: tx, secrets }, { ...rest, country: country ?? null } as never)
  const user_id = await addAdministrator(host, tx, { ...admin, clinic_id })
  await startClinic(host, tx, { clinic_id, catalogue })
  await tx.delete(coreSetup)
  const session = await createSession(
    { db: tx, secrets },
    {
      user_id,
      clinic_id,
      browser: browserOf(client.user_agent),
      confirmed: await confirmedBy(tx, ['password'])
    }
  )
  const actor = { type: 'user' as const, id: user_id, name: null }
  await recordAudit(host, tx, { clinic_id, actor, action: 'setup', detail: { catalogue }, client })
  return { ...session, clinic_id, user_id }
}

type Administrator = SetupRequest['admin'] & { clinic_id: string }

/** An account that the operator created before gets the password from this form. */
async function addAdministrator(
  { secrets }: Host,
  tx: Tx,
  { email, name, password, clinic_id }: Administrator
): Promise<string> {
  const user = { email, password, clinic_id, ...namesOf(name), role: 'admin' as const, instance_admin: true }
  const { id, created } = await createUser({ db: tx, secrets }, user, { by: 'operator' })
    .catch((error: unknown) => { throw belowAdmin(error) })
  if (!created) {
    await changeUserRow(tx, secrets, { id, change: { password_hash: await hashPassword(secrets, password) } })
    await endSessionsOf(tx, { user_id: id })
  }
  await tx.update(coreUser).set({ signed_in_at: sql`now()` })
    .where(and(eq(coreUser.id, id), isNull(coreUser.signed_in_at)))
  return id
}

/** The first word, and the rest, which some names lack. */
function namesOf(name: string): { first_name: string, last_name?: string } {
  const [first = '', ...rest] = name.split(/\s+/)
  const names = { first_name: first.slice(0, 100) }
  return rest.length > 0 ? { ...names, last_name: rest.join(' ').slice(0, 100) } : names
}

/** Moves the pointers of account errors below `admin` in this body. */
function belowAdmin(error: unknown): unknown {
  if (!isProblem(error) || !error.fields.errors) return error
  return problem(error.code, {
    ...error.fields,
    errors: error.fields.errors.map(({ pointer, message }) => ({ pointer: `/admin${pointer}`, message }))
  })
}

interface Start { clinic_id: string, catalogue: 'none' | 'starter' }

/** Dependencies first. */
async function startClinic({ registry }: Host, tx: Tx, start: Start): Promise<void> {
  for (const { definition: { hooks }, ctx } of registry.modules) await hooks?.start_clinic?.(ctx, { ...start, tx })
}

/**
 * An installed module that does not run could not add its data, and there is no second chance. Checked before the
 * transaction, because the calls that wait for its lock may hold every connection.
 */
async function assertAllStart({ database, registry }: Host): Promise<void> {
  const silent = await findStoppedModules(database.sql, registry)
  if (silent.length > 0)
    throw problem('module_errored', {
      detail: `A clinic can be set up once all installed modules run: ${silent.join(', ')}.`
    })
}
