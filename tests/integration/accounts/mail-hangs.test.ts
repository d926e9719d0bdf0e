import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, BUDGETS, eventually } from '../../support/builders.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
let silent: Server
const callers = new Set<Socket>()
let isOver = false
beforeAll(async () => {
  silent = createServer(socket => isOver ? socket.destroy() : void callers.add(socket))
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  instance = await anInstance({ env: { SVC_SMTP_URL: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}` } })
})
afterAll(async () => {
  isOver = true
  for (const socket of callers) socket.destroy()
  await instance.close()
  await new Promise(resolve => silent.close(resolve))
})

test('a mail server that accepts connections and never responds delays neither signed PDFs nor invoices, even if many mails wait', async () => {
  const staff = await instance.as('admin')
  const letters = await Promise.all(Array.from({ length: 40 }, () => aSentBudget(instance, {}, { channel: 'email' })))
  const failed = () => instance.sql`select from budget_link where delivery_error = 'server_unreachable'`
  await eventually(async () => (await failed()).length > 0, 'the first failure')

  const [budget] = letters
  await (await aVerifiedPatient(instance, budget!)).post(`${budget!.base}/accept`, ACCEPTANCE)
  await eventually(
    async () => (await staff.get(`${BUDGETS}/${budget!.id}`)).body.data.signed_pdf.status === 'ready',
    'the signed PDF'
  )
  await eventually(async () => (await instance.sql`select from billing_invoice`).length === 1, 'the invoice')
  await eventually(async () => (await failed()).length === letters.length, 'what the staff see of the others')
  expect(callers.size).toBeLessThan(letters.length / 2)
}, 120_000)
