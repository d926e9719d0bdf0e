import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aSentBudget, aVerifiedPatient, BUDGETS, eventually } from '../support/builders.ts'
import { documentsOf, hex, type Documents } from '../support/documents/documents.ts'
import { anInstance, type Instance } from '../support/instance.ts'
import { aMailbox, type Mailbox } from '../support/outside/mailbox.ts'
import { aBucket } from '../support/outside/object-store.ts'

let bucket: Awaited<ReturnType<typeof aBucket>>
let mailbox: Mailbox
let instance: Instance
let documents: Documents

beforeAll(async () => {
  bucket = await aBucket()
  // With a bucket, files other than documents go below the product's own folder. This test must write none there.
  mailbox = await aMailbox()
  instance = await anInstance({ env: { ...bucket.env, SVC_SMTP_URL: mailbox.url } })
  documents = await documentsOf(instance)
})
afterAll(async () => {
  await instance.close()
  await mailbox.close()
  await bucket.close()
})

const objects = () =>
  (existsSync(bucket.folder) ? readdirSync(bucket.folder, { recursive: true, withFileTypes: true }) : [])
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
const objectOf = (key: string) =>
  objects().find(path => path.startsWith(join(bucket.folder, 'proofs', key)) && path.endsWith('object'))!

/** The instance sends real mails from an address of this machine. */
const LOCAL = { code: 'base_url_local' }
async function doctor(): Promise<{
  ok: boolean
  integrity: { code: string, object: string }[]
  advice: { code: string }[]
}> {
  return (await (await instance.asInstanceAdmin()).get('/api/v1/modules/-/doctor')).body.data
}

describe('documents in an object store', () => {
  test('are sealed and stored there, downloaded from there and checked by the doctor; the folder stays empty', async () => {
    const { budget, patient } = await documents.anAcceptedBudget()
    const { signed_pdf_key, signed_pdf_sha256 } = await documents.rowOf(budget.id)
    expect(hex(readFileSync(objectOf(signed_pdf_key)))).toBe(signed_pdf_sha256)
    const { status, bytes } = await patient.get(`${budget.base}/pdf/signed`)
    expect([status, hex(bytes)]).toEqual([200, signed_pdf_sha256])
    expect(existsSync(join(instance.runtime.host.config.storage, 'documents', instance.clinic.id))).toBe(false)
    expect(await doctor()).toMatchObject({ integrity: [], advice: [LOCAL] })
  })

  test('are not sent if they were changed or deleted there, and the doctor reports them', async () => {
    const [changed, deleted] = [await documents.anAcceptedBudget(), await documents.anAcceptedBudget()]
    const file = objectOf((await documents.rowOf(changed.budget.id)).signed_pdf_key)
    const before = readFileSync(file)
    const after = Buffer.from(before)
    after[1000]! ^= 1
    writeFileSync(file, after)
    rmSync(objectOf((await documents.rowOf(deleted.budget.id)).signed_pdf_key))
    for (const { budget, patient } of [changed, deleted]) {
      expect((await patient.get(`${budget.base}/pdf/signed`)).body.code).toBe('fingerprint_mismatch')
    }
    expect((await doctor()).integrity.map(({ code, object }) => `${code} ${object}`).sort())
      .toEqual([changed, deleted].map(({ budget }) => `fingerprint_mismatch ${budget.number} v1`).sort())
  })

  test('wait while the store is unavailable, with the reason in the log, and are stored afterwards', async () => {
    const at = instance.runtime.host.config.object_store!
    const { endpoint } = at
    at.endpoint = 'http://127.0.0.1:9'
    try {
      const budget = await aSentBudget(instance)
      const patient = await aVerifiedPatient(instance, budget)
      await documents.accept(budget, patient)
      const [row] = await eventually(async () => {
        const rows = await documents.logOf(budget.id, 'signed_pdf_error')
        return rows.length > 0 && rows
      }, 'the failure')
      expect(row!.detail.error).toMatch(/^The object store did not answer: /)
      expect((await doctor()).advice).toMatchObject([{ code: 'document_store' }, LOCAL])
      at.endpoint = endpoint
      await documents.isReady(budget.id)
      expect((await (await instance.as('receptionist')).get(`${BUDGETS}/${budget.id}/pdf/signed`)).status).toBe(200)
    } finally {
      at.endpoint = endpoint
    }
  })
})
