import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { isProblem, type Db } from '@svc/kit'
import { startChain } from '../audit/start-chain.ts'
import { createUser, type CreateUser } from '../people/accounts/create-user.ts'
import { rowsOf } from '../db/rows.ts'
import { coreClinic } from '../db/schema.ts'
import { whyPublic } from './demo-place.ts'
import type { Host } from '../host.ts'

/** Public on purpose: every instance with the demo has these accounts and this code. */
export const DEMO = {
  clinic_id: 'd3a0c11c-0000-4000-8000-000000000001',
  /** The administrator of both the clinic and the instance. */
  email: 'admin@aurora.example',
  password: 'aurora-demo-clinic',
  /** The patient of the budget that always stays open, and the code of its link. */
  open_budget: 'Núria Puig',
  code: '246810'
}

export const DEMO_USERS: Pick<CreateUser, 'email' | 'first_name' | 'last_name' | 'role' | 'instance_admin'>[] = [
  { email: DEMO.email, first_name: 'Elena', last_name: 'Vidal Peñarrubia', role: 'admin', instance_admin: true },
  { email: 'dentist@aurora.example', first_name: 'Inés', last_name: 'Castaño Múgica', role: 'dentist' },
  { email: 'hygienist@aurora.example', first_name: 'Álvaro', last_name: 'Sáez Lorente', role: 'hygienist' },
  { email: 'assistant@aurora.example', first_name: 'Noemí', last_name: 'Güemes Prat', role: 'assistant' },
  { email: 'reception@aurora.example', first_name: 'Óscar', last_name: 'Yáñez Román', role: 'receptionist' }
]

const CLINIC = {
  id: DEMO.clinic_id,
  name: 'Clínica Dental Aurora',
  address: 'Calle de la Luna 14, 1.º\n28004 Madrid',
  phone: '+34 910 000 100',
  email: 'hola@aurora.example',
  accent_color: '#0f766e',
  country: 'ES',
  legal_name: 'Aurora Dental, S. L.',
  tax_number: 'B00000000',
  registration: 'Registro sanitario CS 00000',
  insurer: 'Seguros Ejemplo, póliza 000-000',
  currency: 'EUR',
  time_zone: 'Europe/Madrid',
  locale: 'es',
  prices_include_tax: true,
  first_steps_hidden: true
}

/** The core's job `demo`. Existing records are not changed, so that it is safe to run again. */
export async function fillDemo(host: Host): Promise<void> {
  const reasons = whyPublic(host.config)
  if (reasons.length > 0) return host.log.error('demo.refused', { reasons })
  await addClinic(host)
  for (const user of DEMO_USERS) await addUser(host, user)
  const user_id = await getUserId(host.db, DEMO.email)
  for (const { name, definition, ctx } of host.registry.modules) {
    await definition.demo?.(ctx, { clinic_id: DEMO.clinic_id, user_id })
    host.log.info('demo.filled', { module: name })
  }
}

async function addClinic({ db, secrets, config }: Host): Promise<void> {
  const logo = await readFile(path.join(config.root, 'server/core/demo/demo-logo.png'))
  await db.transaction(async (tx) => {
    const [added] = await tx
      .insert(coreClinic)
      .values({ ...CLINIC, logo, logo_type: 'image/png' })
      .onConflictDoNothing()
      .returning({ id: coreClinic.id })
    if (added) await startChain(tx, secrets, added.id)
  })
}

async function addUser({ db, secrets }: Host, user: typeof DEMO_USERS[number]): Promise<void> {
  if (await findUserId(db, user.email)) return // avoids the slow hash
  try {
    await createUser(
      { db, secrets },
      { ...user, clinic_id: DEMO.clinic_id, password: DEMO.password },
      { by: 'operator' }
    )
  } catch (error) {
    if (!isProblem(error) || error.code !== 'user_exists') throw error // another instance was faster
  }
}

async function findUserId(db: Db, email: string): Promise<string | null> {
  const [row] = await rowsOf<{ id: string }>(db, sql`select id::text from core_user where email = ${email}`)
  return row?.id ?? null
}

async function getUserId(db: Db, email: string): Promise<string> {
  const id = await findUserId(db, email)
  if (!id) throw new Error(`the demo user ${email} is not there`)
  return id
}
