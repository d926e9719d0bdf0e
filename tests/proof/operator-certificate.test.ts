import { renameSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConfigError } from '../../server/core/config.ts'
import { aSentBudget, aVerifiedPatient, BUDGETS, eventually } from '../support/builders.ts'
import { aCertificate, hasOpenssl, inDays, pkcs12Folder } from '../support/outside/certificates.ts'
import { documentsOf, type Documents } from '../support/documents/documents.ts'
import { anInstance, type Instance } from '../support/instance.ts'
import { anAuthority, type Authority } from '../support/outside/time-stamp-authority.ts'

let folder: ReturnType<typeof pkcs12Folder>
let authority: Authority
let instance: Instance
let documents: Documents
let place: string

/** Writes a certificate to the path in SVC_SEAL_P12. */
async function put(wish: Parameters<typeof aCertificate>[0]): Promise<void> {
  const made = await aCertificate(wish)
  renameSync(folder.pkcs12({ certificates: [made.certificate], key: made.key, name: 'next.p12' }), place)
}

beforeAll(async () => {
  folder = pkcs12Folder()
  authority = await anAuthority()
  place = `${folder.path}/seal.p12`
  await put({ name: 'First Seal', kind: 'RSA-2048', to: inDays(20) })
  instance = await anInstance({
    env: { SVC_SEAL_P12: place, SVC_SEAL_PASSWORD: 'pass word', SVC_TSA_URL: authority.url }
  })
  documents = await documentsOf(instance)
})
afterAll(async () => {
  await instance?.close()
  await authority?.close()
  folder?.close()
})

async function advice(): Promise<{ code: string, object: string, message: string }[]> {
  const { body } = await (await instance.asInstanceAdmin()).get('/api/v1/modules/-/doctor')
  return body.data.advice
}

describe.runIf(hasOpenssl)('an instance with the operator\'s certificate', () => {
  test('seals with it and a time stamp, and records this in the log row', async () => {
    const { budget } = await documents.anAcceptedBudget()
    const { signed_pdf_sha256: sha256 } = await documents.rowOf(budget.id)
    expect(await documents.logOf(budget.id, 'signed_pdf_ready')).toMatchObject([
      { detail: { sha256, time_stamp: true } }
    ])
    expect((await instance.runtime.host.documents.certificate()).subject).toBe('CN=First Seal')
    expect(await advice()).toMatchObject([{ code: 'certificate', object: 'SVC_SEAL_P12' }])
  })

  test('accepts at once while the authority does not respond; the copy is made within its limit, without a stamp', async () => {
    authority.answer = () => {}
    try {
      const budget = await aSentBudget(instance)
      const patient = await aVerifiedPatient(instance, budget)
      await documents.accept(budget, patient)
      // If the acceptance had waited for the authority, the copy would be ready by now.
      expect((await documents.rowOf(budget.id)).signed_pdf_status).toBe('pending')
      await documents.isReady(budget.id)
      expect(await documents.logOf(budget.id, 'signed_pdf_ready')).toMatchObject([{ detail: { time_stamp: false } }])
    } finally {
      authority.answer = null
    }
  })

  test('accepts after the certificate expired; the copy waits, and is made after a restart with a valid one', async () => {
    const ended = inDays(-1)
    await put({ name: 'Old Seal', from: inDays(-30), to: ended })
    await instance.restart()
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    await documents.accept(budget, patient)
    const [row] = await eventually(async () => {
      const rows = await documents.logOf(budget.id, 'signed_pdf_error')
      return rows.length > 1 && rows
    }, 'the second try')
    expect(row).toMatchObject({
      success: false,
      detail: {
        attempt: 1,
        error: `The certificate that seals documents expired on ${ended.toISOString().slice(0, 10)}: put a valid one where SVC_SEAL_P12 says and restart`
      }
    })
    const pending = await patient.get(`${budget.base}/pdf/signed`)
    expect([pending.status, pending.body.code]).toEqual([404, 'signed_pdf_pending'])
    expect(await advice()).toMatchObject([{ code: 'certificate_ended', object: 'SVC_SEAL_P12' }])

    await put({ name: 'New Seal', kind: 'P-384' })
    await instance.restart()
    await documents.isReady(budget.id)
    expect((await (await instance.as('receptionist')).get(`${BUDGETS}/${budget.id}/pdf/signed`)).status).toBe(200)
    expect(await advice()).toEqual([])
  })

  test('does not start if the certificate\'s file cannot be used', async () => {
    folder.put('seal.p12', 'damaged')
    await expect(instance.restart()).rejects.toThrow(ConfigError)
    await put({})
    await instance.restart()
  })
})
