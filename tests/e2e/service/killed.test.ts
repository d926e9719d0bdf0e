import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, eventually } from '../../support/builders.ts'
import type { Built } from '../../support/browser/built.ts'
import { anOwnServer, type OwnServer } from '../../support/browser/own-server.ts'

let own: OwnServer
let built: Built
beforeAll(async () => {
  own = await anOwnServer()
  built = own.built
}, 120_000)
afterAll(() => own.close())

async function killAndStartAgain() {
  own.process.kill('SIGKILL')
  await once(own.process, 'exit')
  await own.startAgain()
}

const stored = (id: string) => readdirSync(join(built.storage, 'documents'), { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile() && entry.parentPath.includes(id))

test(
  'a kill -9 loses no confirmed decision, and the next start completes the interrupted signed PDF',
  { timeout: 300_000 },
  async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      const budget = await aSentBudget(built)
      const patient = await aVerifiedPatient(built, budget)
      const answer = patient.post(`${budget.base}/accept`, ACCEPTANCE).then(
        ({ status }) => status,
        () => null
      )
      const isInFlight = turn % 2 === 0
      const told = isInFlight ? null : await answer
      await killAndStartAgain()
      const status = told ?? (await answer)

      const [row] = await built.sql`
      select status, signed_pdf_status, (select count(*)::int from budget_signature s where s.budget_id = b.id) as records,
             (select count(*)::int from core_event e where e.name = 'budget.accepted' and e.payload->>'budget_id' = b.id::text) as events
      from budget b where id = ${budget.id}`
      const isAccepted = status === 200 || row!.status === 'accepted'
      expect(row).toMatchObject(
        isAccepted ? { status: 'accepted', records: 1, events: 1 } : { status: 'sent', records: 0, events: 0 }
      )
      if (!isAccepted) continue

      const { signed_pdf } = await eventually(async () => {
        const { body } = await patient.get(budget.base)
        return body?.data?.signed_pdf?.status === 'ready' && body.data
      }, 'the signed PDF')
      const { bytes } = await patient.get(`${budget.base}/pdf/signed`)
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(signed_pdf.sha256)
      expect(stored(budget.id).map(({ name }) => name)).toContain(`${signed_pdf.sha256}.pdf`)
    }
  }
)
