import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BudgetContentAt } from '@svc/kit/modules/budget'
import { LANGUAGES } from '@svc/kit/schemas'
import { describe, expect, it } from 'vitest'
import { isNamedAccess } from '../../server/core/http/named-access.ts'
import { endpointOf } from '../../server/core/http/scan.ts'
import { createLog } from '../../server/core/log.ts'
import { readClauses } from '../../server/core/modules/clauses/read-clauses.ts'
import type { Discovered } from '../../server/core/modules/discover.ts'
import { readSections } from '../../server/core/modules/sections/read-sections.ts'
import { readStaffSections } from '../../server/core/modules/sections/read-staff-sections.ts'
import { aDraft, aPatient, aSentBudget, aVerifiedPatient } from '../support/builders.ts'
import type { Instance } from '../support/instance.ts'
import { getRunning } from './get-running.ts'

const STATES = ['sent', 'accepted', 'rejected', 'expired', 'cancelled', 'superseded'] as const
const SECRET = 'Zq7secretvalue'
const aUuid = '00000000-0000-4000-8000-000000000000'

/** Tests where a module touches others: one for each member of its entry and manifest that the docs name. */
export function testReach(modules: (readonly [string, Discovered])[], world: () => Instance): void {
  // Created late: if a module's clauses or guards fail, no budget can be sent, and only the tests that need one should
  // fail.
  const open = once(() => aSentBudget(world()))
  const draft = once(() => aDraft(world()))

  describe.each(modules)('the module %s', (name, { folder, manifest }) => {
    const { depends, personal, scrub, guards, grants, layer } = manifest!
    /** Members without ids: many people share an id, so the log shows it and an erasure keeps it. */
    const words = personal.members.filter(member => !member.endsWith('_id'))
    const running = () => getRunning(world(), name)
    /** Names such as `budget.accept` begin with the module itself or with a dependency. */
    const foreignTo = (names: string[]) => names.filter(full => ![name, ...depends].includes(full.split('.')[0]!))

    it('returns its settings with an ETag, hides secrets, and refuses other callers and unknown fields', async () => {
      const { settings } = running().definition
      if (!settings) return
      const path = `/api/v1/clinic/settings/${name}`
      const admin = await world().as('admin')
      const { status, headers, body } = await admin.get(path)
      const hidden = (settings.secrets ?? []).map(field => [field, { set: false }])
      expect([status, body.data]).toEqual([200, { ...settings.defaults, ...Object.fromEntries(hidden) }])
      const unchanged = await admin.patch(path, {}, { headers: { 'if-match': headers.get('etag')! } })
      expect([unchanged.status, unchanged.body.data]).toEqual([200, body.data])
      const unknown = await admin.patch(path, { no_such_field: 1 })
      expect([unknown.status, unknown.body.errors?.[0]?.pointer]).toEqual([422, '/no_such_field'])
      const { permission = 'clinic.manage' } = settings
      const member = await world().as('hygienist')
      const { permissions } = (await member.get('/me')).body.data
      expect((await member.get(path)).status).toBe(permissions.includes(permission) ? 200 : 403)
    })

    it('has a label for each of its settings, if its layer has texts and no form of its own', () => {
      const { settings } = running().definition
      if (!settings || layer === null || bringsForm(join(folder, layer))) return
      const texts = textsIn(join(folder, layer))
      const missing = ['title', ...Object.keys(settings.defaults)]
        .filter(field => typeof texts[name]?.settings?.[field] !== 'string')
      expect(missing).toEqual([])
    })

    it('guards only steps of its dependencies', () => {
      expect(foreignTo(guards)).toEqual([])
      const { registry } = world().runtime.host
      expect(guards.filter(step => !registry.get(step.split('.')[0]!)?.definition.steps?.[step])).toEqual([])
      expect(Object.keys(running().definition.before ?? {}).sort()).toEqual([...guards].sort())
    })

    it('adds only valid sections, in each state and language, and only to pages of its dependencies', async () => {
      const { definition: { public_sections = {} }, ctx } = running()
      expect(foreignTo(Object.keys(public_sections))).toEqual([])
      const ask = public_sections['budget.patient']
      if (!ask) return
      const { id: budget_id, base: token_base } = await open()
      for (const state of STATES) {
        for (const locale of LANGUAGES) {
          const at = { clinic_id: world().clinic.id, budget_id, version: 1, state, locale, token_base }
          const { faults } = readSections(await ask(ctx, at), { module: name, token_base, origin: world().url })
          expect([state, locale, faults]).toEqual([state, locale, []])
        }
      }
    })

    it('adds only valid sections to the clinic\'s pages of dependencies, in each language and period', async () => {
      const { definition: { staff_sections = {} }, ctx } = running()
      expect(foreignTo(Object.keys(staff_sections))).toEqual([])
      const ask = staff_sections['reports.clinic']
      if (!ask) return
      await open()
      const { id: clinic_id, currency, time_zone } = await ctx.clinics.get(world().clinic.id)
      const periods = [['2000-01-01', '2009-12-31'], ['2020-01-01', '2029-12-31']] as const
      for (const [from, to] of periods) {
        for (const locale of LANGUAGES) {
          const at = { clinic_id, locale, from, to, currency, time_zone }
          expect([from, locale, readStaffSections(await ask(ctx, at)).faults]).toEqual([from, locale, []])
        }
      }
    })

    it('opens its endpoints below the patient’s link only after the code, and only for a known link', async () => {
      const routes = await Promise.all(running().routes.map(async ({ method, path, load }) =>
        ({ method, path, access: endpointOf((await load()).default)!.access })))
      const below = routes.filter(({ access }) => isNamedAccess(access) && access === 'budget.link')
      if (below.length === 0) return
      const budget = await open()
      const patient = await aVerifiedPatient(world(), budget)
      for (const { method, path } of below) {
        const call = async (caller: typeof patient, token: string) => {
          const address = path.replace(':token', token).replaceAll(/:\w+/g, aUuid)
          const { status, body } = method === 'get' || method === 'delete'
            ? await caller[method](address)
            : await caller[method](address, {})
          return [`${method} ${path}`, status, body?.code] as const
        }
        const route = `${method} ${path}`
        expect(await call(world().anonymous(), budget.token)).toEqual([route, 401, 'code_required'])
        expect(await call(world().anonymous(), 'x'.repeat(43))).toEqual([route, 404, 'link_not_found'])
        const [, status, code] = await call(patient, budget.token)
        expect([route, status < 500, code === 'code_required']).toEqual([route, true, false])
      }
    })

    it('adds only valid clauses, in each language, and only to documents of its dependencies', async () => {
      const { definition: { clauses = {} }, ctx } = running()
      expect(foreignTo(Object.keys(clauses))).toEqual([])
      const ask = clauses['budget.content']
      if (!ask) return
      const { id: budget_id, number, patient } = await draft()
      const about = {
        clinic_id: world().clinic.id, budget_id, number, version: 1, patient_id: patient.id,
        currency: 'EUR', total: '121.00', valid_until: '2030-12-31'
      }
      const prices = [{ price_from: null, price_to: null }, { price_from: '121.00', price_to: '242.00' }]
      for (const at of LANGUAGES.flatMap(locale => prices.map(price => ({ ...about, ...price, locale })))) {
        const rollback = world().runtime.host.db.transaction(async (tx) => {
          const whole: BudgetContentAt = { ...at, tx }
          readClauses(await ask(ctx, whole))
          tx.rollback()
        })
        await expect(rollback, at.locale).rejects.toThrow('Rollback')
      }
    })

    it('has channels that have a label, report whether they are ready, and hide addresses', async () => {
      const { definition: { channels = {} }, ctx } = running()
      if (Object.keys(channels).length === 0) return
      const { body: { data } } = await (await world().as('admin')).get('/api/v1/budget/channels')
      const unreachable = { clinic_id: world().clinic.id, id: aUuid, email: null, phone: null, locale: null }
      const reachable = { ...unreachable, email: 'lucia@patient.test', phone: '+34600123456', locale: 'es' }
      for (const [channel, { addressOf, hides }] of Object.entries(channels)) {
        const listed = data.find((entry: { name: string }) => entry.name === channel)
        expect(listed).toMatchObject({ label: expect.stringMatching(/\S/), ready: expect.any(Boolean) })
        expect(listed.reason).toEqual(listed.ready ? null : expect.stringMatching(/\S/))
        await addressOf(ctx, unreachable)
        const address = await addressOf(ctx, reachable)
        expect(address === null || address === await addressOf(ctx, reachable)).toBe(true)
        if (address !== null && hides) expect(hides(address)).not.toContain(address)
      }
    })

    it('calls no host that its manifest does not name', async () => {
      await expect(running().ctx.http.fetch('https://not-named.invalid/')).rejects.toMatchObject({
        code: 'outgoing_refused', fields: { reason: 'host' }
      })
    })

    it('names its personal members and the texts that precede secrets, so that the log hides both', () => {
      const lines: string[] = []
      const log = createLog({ production: true, log_level: 'info' }, line => lines.push(line))
      log.info('contract', Object.fromEntries(words.map(member => [member, SECRET])))
      log.info('contract', { url: scrub.map(text => `${text}${SECRET}`).join(' ') })
      expect(lines.filter(line => line.includes(SECRET))).toEqual([])
    })

    it('has its personal members removed from stored events by an erasure', async () => {
      if (words.length === 0) return
      const { db, events } = world().runtime.host
      const admin = await world().as('admin')
      const { id: patient_id } = await aPatient(admin)
      const values = Object.fromEntries(words.map(member => [member, SECRET]))
      const id = await events.publish<string>(db, `${name}.contract_checked`, {
        clinic_id: world().clinic.id, patient_id, ...values
      })
      const { status } = await admin.post(`/api/v1/clinic/persons/${patient_id}/erase`, { dry_run: false })
      expect(status).toBe(200)
      const [row] = await world().sql`select payload::text as payload from core_event where id = ${id}`
      expect(row!.payload).not.toContain(SECRET)
    })

    it('gets links of budgets only with the grant, and requests grants only from its dependencies', async () => {
      expect(foreignTo(grants)).toEqual([])
      if (!depends.includes('budget')) return
      const { id, token } = await open()
      const link = running().ctx.use('budget').linkOf(world().clinic.id, id)
      if (grants.includes('budget.link')) expect(await link).toContain(token)
      else await expect(link).rejects.toMatchObject({ code: 'grant_missing' })
    })

    it('publishes no events in the name of another module', async () => {
      const { ctx } = running()
      await expect((async () =>
        await ctx.events.publish(ctx.db, 'other.done', { clinic_id: world().clinic.id }))())
        .rejects.toMatchObject({ code: 'foreign_event' })
    })
  })
}

/** Calls `make` when a test first needs the value. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => made ??= make()
}

const bringsForm = (layer: string) => ['js', 'ts'].map(ending => join(layer, `app/staff.${ending}`))
  .some(file => existsSync(file) && readFileSync(file, 'utf8').includes('useSettingsSections('))

/** The English texts of a layer, from both of its text folders. */
function textsIn(layer: string): Record<string, { settings?: Record<string, unknown> } | undefined> {
  const files = ['i18n/locales', 'i18n/staff'].map(folder => join(layer, folder))
    .filter(folder => existsSync(folder))
    .flatMap(folder => readdirSync(folder).filter(file => /^en\b/.test(file)).map(file => join(folder, file)))
  const all: Record<string, object> = {}
  for (const file of files) {
    for (const [module, texts] of Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, object>))
      all[module] = { ...all[module], ...texts }
  }
  return all
}
