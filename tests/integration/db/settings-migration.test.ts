import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { remindersSince } from '../../../layers/budget/server/settings.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { root } from '../../support/modules/official.ts'

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
})
afterAll(() => instance.close())

const run = (name: string) => instance.sql.unsafe(readFileSync(join(root, 'drizzle', name), 'utf8'))
const UP = '0030_settings_of_modules.sql'
const DOWN = '0030_settings_of_modules.down.sql'

test('the upgrade moves the clinic\'s settings to those of budget and billing', async () => {
  const { id } = instance.clinic
  const other = await instance.anotherClinic()
  await run(DOWN)
  await instance.sql`
    update core_clinic set tooth_notation = 'palmer', budget_validity_days = 45, payment_days = 10,
      reminders = '{"enabled": true, "days": [3], "quiet_from": "22:00", "quiet_to": "08:00"}',
      reminders_since = '2026-03-01 10:20:30.5+00'
    where id = ${id}`
  await run(UP)

  const { body: { data } } = await (await instance.as('admin')).get('/api/v1/clinic')
  expect(data).toMatchObject({
    tooth_notation: 'palmer', budget_validity_days: 45, payment_days: 10,
    reminders: { enabled: true, days: [3], quiet_from: '22:00', quiet_to: '08:00' }
  })
  const { ctx } = instance.runtime.host.registry.get('budget')!
  expect(await remindersSince(ctx, id)).toEqual(new Date('2026-03-01T10:20:30.500Z'))
  expect(await remindersSince(ctx, other.id)).toBe(null)
  expect((await (await instance.as('admin', other)).get('/api/v1/clinic')).body.data).toMatchObject({
    tooth_notation: 'fdi', budget_validity_days: 30, payment_days: null, reminders: { enabled: false, days: [7, 14] }
  })
})

test('the downgrade keeps values that were chosen since', async () => {
  const admin = await instance.as('admin')
  await admin.patch('/api/v1/clinic', { tooth_notation: 'universal', payment_days: null, reminders: { days: [5] } })
  await run(DOWN)
  const [row] = await instance.sql`
    select tooth_notation, payment_days, reminders->'days' as days, reminders_since > now() - interval '1 hour' as since
    from core_clinic where id = ${instance.clinic.id}`
  expect(row).toEqual({ tooth_notation: 'universal', payment_days: null, days: [5], since: true })
})
