import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aUser } from '../../support/accounts.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
})
afterAll(() => instance.close())

const aPerson = (name: string) => ({
  email: `${name}@clinic.test`,
  first_name: 'Ana',
  last_name: 'Ruiz',
  role: 'dentist'
})
async function mailsTo(email: string): Promise<number> {
  const outbox = join(instance.storage, 'outbox')
  const mails = await Promise.all(
    (await readdir(outbox)).filter(file => file.endsWith('.eml')).map(file => readFile(join(outbox, file), 'utf8'))
  )
  return mails.filter(mail => mail.includes(`To: ${email}`)).length
}
const reset = (email: string) => instance.anonymous().post('/api/v1/auth/password-reset', { email })

test('invitations to one address are limited to five an hour over all clinics, and password resets still reach it', async () => {
  const person = aPerson('flooded')
  for (let i = 0; i < 5; i++)
    expect((await (await instance.as('admin', await instance.anotherClinic())).post('/api/v1/users', person)).status).toBe(201)
  const clinic = await instance.anotherClinic()
  const sixth = await (await instance.as('admin', clinic)).post('/api/v1/users', person)
  // A clinic must not learn about mails of other clinics.
  expect([sixth.status, sixth.body.data.invitation.delivered_via]).toEqual([201, 'file'])
  expect(await mailsTo(person.email)).toBe(5)
  const [counted]
    = await instance.sql`select points from core_rate_limit where key = ${`core:invitation-mail-clinic:${clinic.id}`}`
  expect(counted!.points).toBe(0)
  expect((await reset(person.email)).status).toBe(204)
})

test('a clinic can send one address at most five invitations an hour', async () => {
  const admin = await instance.as('admin')
  const { id } = (await admin.post('/api/v1/users', aPerson('again'))).body.data
  for (let i = 0; i < 4; i++) expect((await admin.post(`/api/v1/users/${id}/invitation`)).status).toBe(200)
  const sixth = await admin.post(`/api/v1/users/${id}/invitation`)
  expect([sixth.status, sixth.body.code, sixth.body.detail]).toEqual([
    429,
    'too_many_requests',
    'Too many emails were sent. Try again in an hour.'
  ])
})

test('a clinic can send at most 50 invitations an hour', async () => {
  const clinic = await instance.anotherClinic()
  const admin = await instance.as('admin', clinic)
  const { id } = (await admin.post('/api/v1/users', aPerson('fifty'))).body.data
  await instance.sql`update core_rate_limit set points = 50 where key = ${`core:invitation-mail-clinic:${clinic.id}`}`
  expect((await admin.post(`/api/v1/users/${id}/invitation`)).status).toBe(429)
})

test('resets to one address are limited to three an hour, whether or not an account has it', async () => {
  for (const email of [(await aUser(instance)).email, 'nobody-here@clinic.test']) {
    for (let i = 0; i < 3; i++) expect((await reset(email)).status).toBe(204)
    expect((await reset(email)).status).toBe(429)
  }
})
