import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startEmbedded } from '@svc/embedded-postgres'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient } from '../support/builders.ts'
import { aBuiltInstance, type Built } from '../support/browser/built.ts'
import { SECRET } from '../support/browser/built-server.ts'
import { aFolder, cleanEnv, textOf, until } from '../support/cli.ts'
import { aTcpProxy, type TcpProxy } from '../support/database/tcp-proxy.ts'
import { root } from '../support/modules/official.ts'
import { aMailbox, type Mailbox } from '../support/outside/mailbox.ts'
import { aReceiver, type Receiver } from '../support/outside/receiver.ts'
import { WEBHOOKS } from '../support/webhooks.ts'

const SCRIPT = join(root, 'tests/support/database/serve.ts')
const AWAY_MS = 20_000
let undo: (() => unknown)[]
let proxy: TcpProxy
let mailbox: Mailbox
let receiver: Receiver
let env: Record<string, string>
let server: ChildProcess
let instance: Built

beforeEach(async () => {
  undo = []
  const folder = aFolder()
  undo.push(folder.remove)
  const embedded = await startEmbedded({ storage: folder.path, root })
  undo.push(() => embedded.release())
  proxy = await aTcpProxy({ path: join(embedded.socket, `.s.PGSQL.${embedded.port}`) })
  undo.push(() => proxy.close())
  mailbox = await aMailbox()
  undo.push(() => mailbox.close())
  receiver = await aReceiver()
  undo.push(() => receiver.close())
  env = {
    DATABASE_URL: `postgres://postgres@127.0.0.1:${proxy.port}/svc`,
    SVC_STORAGE: folder.path,
    SVC_SECRET: SECRET,
    SVC_SMTP_URL: mailbox.url,
    SVC_WEBHOOK_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'silent'
  }
  const url = await serve()
  undo.push(() => server.kill('SIGKILL'))
  instance = await aBuiltInstance({ url, databaseUrl: embedded.url(), storage: folder.path })
  undo.push(() => instance.close())
}, 180_000)
afterEach(async () => {
  for (const step of undo.reverse()) await step()
})

/** The server's URL, once it is ready. */
async function serve(): Promise<string> {
  server = spawn(process.execPath, [SCRIPT], { env: cleanEnv(env), stdio: ['ignore', 'pipe', 'inherit'] })
  const printed = textOf(server.stdout!)
  return await until(async () => /^http\S+/m.exec(printed())?.[0], 120_000)
}

async function decide() {
  const budget = await aSentBudget(instance)
  const patient = await aVerifiedPatient(instance, budget)
  expect((await patient.post(`${budget.base}/accept`, ACCEPTANCE)).status).toBe(200)
}

const seconds = (since: number) => (performance.now() - since) / 1000
const say = (line: string) => process.stderr.write(`${line}\n`)

test('a webhook that a kill -9 interrupts is sent again within a minute', { timeout: 300_000 }, async () => {
  const staff = await instance.as('admin')
  receiver.answer('/hook', () => {}) // never answers
  const webhook = { url: `${receiver.url}/hook`, events: ['budget.accepted'] }
  expect((await staff.post(WEBHOOKS, webhook)).status).toBe(201)
  await decide()
  const [first] = await receiver.at('/hook')
  const killed = performance.now()
  server.kill('SIGKILL')
  await once(server, 'exit')
  receiver.answer('/hook', 204)
  await serve()
  const [, second] = await until(async () => {
    const arrived = receiver.received.filter(({ path }) => path === '/hook')
    return arrived.length > 1 ? arrived : null
  }, 120_000)
  say(`webhook: sent again ${seconds(killed).toFixed(1)} s after the kill`)
  expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
  expect(seconds(killed)).toBeLessThan(60)
})

test(
  'an email about a decision that a lost database interrupts is sent within 90 s of the database\'s return',
  { timeout: 300_000 },
  async () => {
    const staff = await instance.as('admin')
    await staff.patch('/api/v1/clinic', { email: 'desk@clinic.test', notify_decisions: true })
    const { promise: cut, resolve } = Promise.withResolvers<undefined>()
    mailbox.answer = (address) => {
      if (!/@/.test(address) || address.includes('patient')) return undefined
      proxy.newcomers('refuse') // neither the claim nor the failure can be written
      proxy.disconnect()
      resolve(undefined)
      return 451
    }
    const letters = mailbox.letters.length
    void decide().catch(() => {})
    await cut
    await new Promise(end => setTimeout(end, AWAY_MS))
    mailbox.answer = () => undefined
    proxy.newcomers('forward')
    const back = performance.now()
    await until(async () => mailbox.letters.slice(letters).some(({ subject }) => /aceptado|accepted/.test(subject)), 180_000)
    say(`email: ${seconds(back).toFixed(1)} s after the database was back`)
    expect(seconds(back)).toBeLessThan(90)
  }
)
