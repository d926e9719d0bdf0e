import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import canonicalize from 'canonicalize'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCEPTANCE, aPatient, aSentBudget, aVerifiedPatient, BUDGETS } from '../support/builders.ts'
import type { Caller } from '../support/caller.ts'
import { documentsOf, hex, type Documents } from '../support/documents.ts'
import { evidenceOf, writeFiles, type EvidenceFiles } from '../support/evidence.ts'
import { anInstance, type Instance } from '../support/instance.ts'

let instance: Instance
let staff: Caller
let documents: Documents
let folder: string
let id: string
let zip: Buffer
let files: EvidenceFiles

const json = (name: string) => JSON.parse(files[name]!.toString())
const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })

beforeAll(async () => {
  instance = await anInstance()
  documents = await documentsOf(instance)
  staff = await instance.as('assistant')
  const { budget } = await documents.anAcceptedBudget({ ...ACCEPTANCE, signature: { method: 'drawn', image: aDrawing() } })
  id = budget.id;
  ({ zip, files } = await evidenceOf(staff, id))
  folder = mkdtempSync(join(tmpdir(), 'svc-evidence-'))
  writeFileSync(join(folder, 'evidence.zip'), zip)
  writeFiles(folder, files)
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await instance.close()
})

/** A line on white. */
function aDrawing(): string {
  return `data:image/png;base64,${readFileSync(join(import.meta.dirname, '../../server/core/demo-logo.png')).toString('base64')}`
}

describe('the evidence of an accepted budget', () => {
  test('holds these files and no other', () => {
    expect(Object.keys(files)).toEqual([
      'check.html', 'signed.pdf', 'content.json', 'signature.json', 'signature.png', 'access-log.json', 'certificate.pem', 'README.txt', 'hashes.json', 'hashes.sig', 'SHA256SUMS'
    ])
  })

  test('is a whole ZIP for others, and its sums hold', () => {
    expect(run('unzip', '-t', 'evidence.zip')).toContain('No errors detected')
    expect(run('sha256sum', '-c', 'SHA256SUMS').trim().split('\n')).toHaveLength(10)
  })

  test('has the bytes that are stored: of the document, of what was accepted, of the drawing', async () => {
    const [row] = await instance.sql`select b.signed_pdf_sha256, s.content, s.content_digest, s.image from budget b join budget_signature s on s.budget_id = b.id where b.id = ${id}`
    expect(hex(files['signed.pdf']!)).toBe(row!.signed_pdf_sha256)
    expect(files['content.json']!.toString()).toBe(row!.content)
    expect(hex(files['content.json']!)).toBe(row!.content_digest)
    expect(files['signature.png']).toEqual(row!.image)
  })

  test('names each file with hash and size in a list that OpenSSL finds signed by the certificate', () => {
    const { files: listed } = json('hashes.json')
    expect(listed).toEqual(Object.fromEntries(Object.keys(listed).map(name => [name, { sha256: hex(files[name]!), size: files[name]!.length }])))
    expect(Object.keys(listed).sort()).toEqual(['README.txt', 'access-log.json', 'certificate.pem', 'content.json', 'signature.json', 'signature.png', 'signed.pdf'])
    writeFileSync(join(folder, 'key.pem'), run('openssl', 'x509', '-in', 'certificate.pem', '-noout', '-pubkey'))
    run('openssl', 'base64', '-d', '-A', '-in', 'hashes.sig', '-out', 'hashes.sig.bin')
    expect(run('openssl', 'dgst', '-sha256', '-verify', 'key.pem', '-signature', 'hashes.sig.bin', 'hashes.json').trim()).toBe('Verified OK')
    expect(json('hashes.json').certificate.sha256).toBe(run('openssl', 'x509', '-in', 'certificate.pem', '-noout', '-fingerprint', '-sha256').split('=')[1]!.trim().replaceAll(':', '').toLowerCase())
  })

  test('has the log, oldest first, with its links and its end', async () => {
    const { rows, whole, checkpoint } = json('access-log.json')
    const stored = await instance.sql`select action, success, actor, encode(hash, 'hex') as hash from budget_access_log where budget_id = ${id} and detail ->> 'as' is null order by seq`
    expect(rows.map(({ action, success, actor, hash }: any) => ({ action, success, actor, hash }))).toEqual([...stored])
    expect(rows.map((row: any) => row.prev_hash)).toEqual([null, ...rows.slice(0, -1).map((row: any) => row.hash)])
    expect([whole, checkpoint]).toEqual([true, null])
    expect(json('hashes.json').log).toEqual({ seq: rows.length, hash: rows.at(-1).hash })
  })

  test('has JSON in one form, RFC 8785', () => {
    for (const name of ['content.json', 'signature.json', 'access-log.json', 'hashes.json']) expect(files[name]!.toString(), name).toBe(canonicalize(json(name)))
  })

  test('ties record and document: content digest and fingerprint are those of the files', () => {
    expect(json('signature.json')).toMatchObject({ content_digest: hex(files['content.json']!), document_sha256: hex(files['signed.pdf']!), signer_name: 'Lucía Muñoz', method: 'drawn', image: 'signature.png', decision: 'accepted' })
  })

  test('tells nothing that is only the clinic\'s: no id of staff, no hash of an address, no text of an error or about a person', async () => {
    const told = ['signature.json', 'access-log.json', 'hashes.json'].map(name => files[name]!.toString()).join('\n')
    const users = await instance.sql`select distinct user_id from budget_access_log where user_id is not null`
    for (const { user_id } of users) expect(told).not.toContain(user_id)
    expect(told).not.toContain('ip_hash')
    expect(told).not.toContain(instance.clinic.id)
  })
})

describe('asking for it', () => {
  test('needs an acceptance and its document', async () => {
    const budget = await aSentBudget(instance)
    const path = `${BUDGETS}/${budget.id}/evidence`
    expect((await staff.get(path)).body).toMatchObject({ status: 404, code: 'not_signed' })
    const patient = await aVerifiedPatient(instance, budget)
    await patient.post(`${budget.base}/reject`, { reason: 'Too expensive' })
    expect((await staff.get(path)).body.code).toBe('not_signed')
    await instance.sql`update budget set signed_pdf_status = 'pending' where id = ${budget.id}`
    void aPatient
  })

  test('is a download of the signed PDF in the log, with the member of the staff', async () => {
    const before = await documents.logOf(id, 'signed_pdf_download')
    const { headers } = await staff.head(`${BUDGETS}/${id}/evidence`)
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="PRES-\d{4}-\d{4}-evidence\.zip"$/)
    expect(await documents.logOf(id, 'signed_pdf_download')).toHaveLength(before.length)
    await staff.get(`${BUDGETS}/${id}/evidence`)
    expect((await documents.logOf(id, 'signed_pdf_download')).at(-1)).toMatchObject({ success: true, actor: 'staff', detail: { as: 'evidence' } })
  })
})
