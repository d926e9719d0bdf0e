import { spawnSync, type ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serverEntry } from '../../../cli/build/aside.ts'
import { startEmbedded, type Embedded } from '@svc/embedded-postgres'
import {
  ACCEPTANCE,
  aSentBudget,
  aVerifiedPatient,
  BUDGETS,
  eventually,
  type SentBudget
} from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { SECRET, startBuilt, stop } from '../../support/browser/built-server.ts'
import { aCertificate, hasOpenssl, pkcs12Folder } from '../../support/outside/certificates.ts'
import { aFolder } from '../../support/cli.ts'
import { hex } from '../../support/documents/documents.ts'
import { aMailGate, type MailGate } from '../../support/outside/mail-gate.ts'
import { aMailbox, type Mailbox } from '../../support/outside/mailbox.ts'
import { aBucket } from '../../support/outside/object-store.ts'
import { root } from '../../support/modules/official.ts'
import { anAuthority, type Authority } from '../../support/outside/time-stamp-authority.ts'

const folder = aFolder()
let files: ReturnType<typeof pkcs12Folder>
let bucket: Awaited<ReturnType<typeof aBucket>>
let authority: Authority
let mailbox: Mailbox
let gate: MailGate
let embedded: Embedded
let server: ChildProcess
let built: Built

beforeAll(async () => {
  files = pkcs12Folder()
  ;[bucket, authority, mailbox, embedded] = await Promise.all([
    aBucket(),
    anAuthority(),
    aMailbox(),
    startEmbedded({ storage: folder.path, root })
  ])
  gate = await aMailGate(mailbox.url)
}, 120_000)

afterAll(async () => {
  if (server) await stop(server)
  await built?.close()
  await Promise.all([bucket.close(), authority.close(), gate.close(), mailbox.close(), embedded.release()])
  files.close()
  folder.remove()
})

async function settings(): Promise<Record<string, string>> {
  const own = await aCertificate({ name: 'Clinic Seal', kind: 'P-256' })
  const p12 = files.pkcs12({ certificates: [own.certificate], key: own.key })
  return {
    ...bucket.env,
    DATABASE_URL: embedded.url(),
    SVC_SMTP_URL: gate.url,
    SVC_TSA_URL: authority.url,
    SVC_SEAL_P12: p12,
    SVC_SEAL_PASSWORD: 'pass word'
  }
}

describe.runIf(hasOpenssl)(
  'the built server with the operator\'s certificate, a time-stamping authority and a bucket',
  () => {
    beforeAll(async () => {
      const started = await startBuilt(await settings())
      server = started.server
      built = await aBuiltInstance({ url: started.url, databaseUrl: embedded.url(), storage: folder.path })
    })

    test('does not start with a wrong password: exit code 78 and one sentence', async () => {
      const env = { ...process.env, ...(await settings()), PORT: '0', SVC_SECRET: SECRET, SVC_SEAL_PASSWORD: 'hunter2' }
      const { status, stderr } = spawnSync(process.execPath, [serverEntry(root)], {
        cwd: root,
        env,
        encoding: 'utf8',
        timeout: 60_000
      })
      expect(status).toBe(78)
      expect(stderr).toMatch(/The configuration is wrong:\n {2}- SVC_SEAL_P12 .* does not open with SVC_SEAL_PASSWORD/)
    })

    test('seals, stamps, stores and downloads documents', async () => {
      const budget = await aSentBudget(built)
      const patient = await aVerifiedPatient(built, budget)
      await patient.post(`${budget.base}/accept`, ACCEPTANCE)
      const { signed_pdf } = await eventually(async () => {
        const { body } = await patient.get(budget.base)
        return body.data.signed_pdf.status === 'ready' && body.data
      }, 'the signed PDF')
      const { bytes } = await patient.get(`${budget.base}/pdf/signed`)
      expect(hex(bytes)).toBe(signed_pdf.sha256)
      const [row]
        = await built.sql`select detail from budget_access_log where budget_id = ${budget.id} and action = 'signed_pdf_ready'`
      expect(row!.detail.time_stamp).toBe(true)
      const { stdout, error } = spawnSync('pdfsig', [files.put('signed.pdf', bytes)], { encoding: 'utf8' })
      if (!error) expect(stdout).toMatch(/Common Name: Clinic Seal[\s\S]*Signature is Valid\./)
    })

    test('writes, sends, decides and seals without a mail server, then sends each message once', async () => {
      const staff = await built.as('admin')
      const show = async ({ id }: SentBudget) => (await staff.get(`${BUDGETS}/${id}`)).body.data
      gate.shut()
      const budgets: SentBudget[] = []
      for (let n = 0; n < 4; n += 1) budgets.push(await aSentBudget(built, {}, { channel: 'email' }))
      for (const budget of budgets)
        await eventually(
          async () => (await show(budget)).link.delivery_error_code === 'server_unreachable',
          'the failure that the staff see',
          { within: 60_000 }
        )

      const [accepted] = budgets
      const patient = await aVerifiedPatient(built, accepted!)
      expect((await patient.post(`${accepted!.base}/accept`, ACCEPTANCE)).status).toBe(200)
      await eventually(async () => (await show(accepted!)).signed_pdf.status === 'ready', 'the signed PDF')
      const decided = `/budgets/${accepted!.id}`
      const own = [decided, ...budgets.map(({ token }) => token)]
      expect(own.flatMap(text => mailbox.with(text))).toEqual([])

      gate.open()
      for (const budget of budgets)
        await eventually(async () => (await show(budget)).link.delivery === 'sent', 'the letter', { within: 90_000 })
      await eventually(async () => mailbox.with(decided).length > 0, 'the staff\'s letter', { within: 90_000 })
      for (const text of own) expect(mailbox.with(text)).toHaveLength(1)
    })
  }
)
