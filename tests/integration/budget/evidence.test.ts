import { execFileSync } from 'node:child_process'
import { createSign, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import canonicalize from 'canonicalize'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkEvidence, type Report } from '@svc/evidence-page/check-evidence.ts'
import { checkSeal } from '@svc/evidence-page/pdf-seal.ts'
import { inspectPdf } from '@svc/sheet/pdf/inspect.ts'
import { ACCEPTANCE, aDraft, aPatient, aSentBudget, aVerifiedPatient, BUDGETS } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { documentsOf, hex, type Documents } from '../../support/documents/documents.ts'
import { copiesIn, evidenceOf, writeFiles, type EvidenceFiles } from '../../support/documents/evidence.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { ageLog, budgetCtx } from '../../support/logs.ts'

let instance: Instance
let staff: Caller
let documents: Documents
let base: string
let folder: string
let id: string
let zip: Buffer
let files: EvidenceFiles

const json = (name: string) => JSON.parse(files[name]!.toString())
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })

beforeAll(async () => {
  instance = await anInstance()
  documents = await documentsOf(instance)
  staff = await instance.as('assistant')
  const { budget } = await documents.anAcceptedBudget({
    ...ACCEPTANCE,
    signature: { method: 'drawn', image: aDrawing() }
  })
  id = budget.id;
  ({ zip, files } = await evidenceOf(staff, id))
  base = mkdtempSync(join(tmpdir(), 'svc-evidence-'))
  folder = join(base, 'unpacked')
  writeFiles(folder, files)
  writeFileSync(join(base, 'evidence.zip'), zip)
})
afterAll(async () => {
  rmSync(base, { recursive: true, force: true })
  await instance.close()
})

/** The files that the page's checks get. */
const signedFiles = (all: EvidenceFiles) =>
  new Map(
    Object.entries(all)
      .filter(([name]) => name !== 'check.html' && name !== 'SHA256SUMS')
      .map(([name, bytes]) => [name, new Uint8Array(bytes)])
  )

const aDrawing = () =>
  `data:image/png;base64,${readFileSync(join(import.meta.dirname, '../../../server/core/demo/demo-logo.png')).toString('base64')}`

function flipped(bytes: Uint8Array, at: number): Uint8Array<ArrayBuffer> {
  const changed = new Uint8Array(bytes)
  changed[at]! ^= 1
  return changed
}

describe('the evidence of an accepted budget', () => {
  test('contains exactly these files', () => {
    expect(Object.keys(files)).toEqual([
      'check.html',
      'signed.pdf',
      'content.json',
      'signature.json',
      'signature.png',
      'access-log.json',
      'certificate.pem',
      'README.txt',
      'hashes.json',
      'hashes.sig',
      'SHA256SUMS'
    ])
  })

  test('is a valid ZIP for other programs, and its checksums are right', () => {
    expect(run('unzip', '-t', '../evidence.zip')).toContain('No errors detected')
    expect(run('sha256sum', '-c', 'SHA256SUMS').trim().split('\n')).toHaveLength(10)
  })

  test('has the stored bytes of the document, of the accepted content and of the drawing', async () => {
    const [row]
      = await instance.sql`select b.signed_pdf_sha256, s.content, s.content_digest, s.image from budget b join budget_signature s on s.budget_id = b.id where b.id = ${id}`
    expect(hex(files['signed.pdf']!)).toBe(row!.signed_pdf_sha256)
    expect(files['content.json']!.toString()).toBe(row!.content)
    expect(hex(files['content.json']!)).toBe(row!.content_digest)
    expect(files['signature.png']).toEqual(row!.image)
  })

  test('lists each file with fingerprint and size in a file that OpenSSL verifies with the certificate', () => {
    const { files: listed } = json('hashes.json')
    expect(listed).toEqual(
      Object.fromEntries(
        Object.keys(listed).map(name => [name, { sha256: hex(files[name]!), size: files[name]!.length }])
      )
    )
    expect(Object.keys(listed).sort()).toEqual([
      'README.txt',
      'access-log.json',
      'certificate.pem',
      'content.json',
      'signature.json',
      'signature.png',
      'signed.pdf'
    ])
    // The command is exactly the one in README.txt.
    const commands = [...files['README.txt']!.toString().matchAll(/^ {2}((?:sha256sum|openssl) .+)$/gm)].map(
      match => match[1]!
    )
    expect(commands).toHaveLength(4)
    expect(run('sh', '-ec', commands.join('\n'))).toContain('Verified OK')
    expect(json('hashes.json').certificate.sha256).toBe(
      run('openssl', 'x509', '-in', 'certificate.pem', '-noout', '-fingerprint', '-sha256')
        .split('=')[1]!
        .trim()
        .replaceAll(':', '')
        .toLowerCase()
    )
  })

  test('has the log, oldest first, with its links between rows and its end', async () => {
    const { rows, whole, checkpoint } = json('access-log.json')
    const stored
      = await instance.sql`select action, success, actor, encode(hash, 'hex') as hash from budget_access_log where budget_id = ${id} and detail ->> 'as' is null order by seq`
    expect(rows.map(({ action, success, actor, hash }: any) => ({ action, success, actor, hash }))).toEqual([...stored])
    expect(rows.map((row: any) => row.prev_hash)).toEqual([null, ...rows.slice(0, -1).map((row: any) => row.hash)])
    expect([whole, checkpoint]).toEqual([true, null])
    expect(json('hashes.json').log).toEqual({ seq: rows.length, hash: rows.at(-1).hash })
  })

  test('has JSON in canonical form, RFC 8785', () => {
    for (const name of ['content.json', 'signature.json', 'access-log.json', 'hashes.json'])
      expect(files[name]!.toString(), name).toBe(canonicalize(json(name)))
  })

  test('connects record and document: content digest and fingerprint are those of the files', () => {
    expect(json('signature.json')).toMatchObject({
      content_digest: hex(files['content.json']!),
      document_sha256: hex(files['signed.pdf']!),
      signer_name: 'Lucía Muñoz',
      method: 'drawn',
      image: 'signature.png',
      decision: 'accepted'
    })
  })

  test('contains nothing that is only for the clinic: no id of staff, no hash of an address, no text of an error or about a person', async () => {
    const told = ['signature.json', 'access-log.json', 'hashes.json'].map(name => files[name]!.toString()).join('\n')
    const users = await instance.sql`select distinct user_id from budget_access_log where user_id is not null`
    for (const { user_id } of users) expect(told).not.toContain(user_id)
    expect(told).not.toContain('ip_hash')
    expect(told).not.toContain(instance.clinic.id)
  })
})

describe('text of other people in the evidence', () => {
  test('is absent if they are other patients of the clinic', async () => {
    const admin = await instance.as('admin')
    const other = await aPatient(admin, {
      first_name: 'Wilhelmina',
      last_name: 'Quackenbush',
      email: 'wilhelmina@patient.test',
      phone: '+34600111222'
    })
    await aDraft(instance, { patient_id: other.id })
    const { id: another } = (await documents.anAcceptedBudget({ ...ACCEPTANCE, signer_name: 'Thaddeus Brandywine' }))
      .budget
    const all = (await evidenceOf(staff, id)).files
    const drawn = await inspectPdf(all['signed.pdf']!)
    const read = [
      ...Object.values(all).map(bytes => bytes.toString('latin1')),
      ...[...copiesIn(all['check.html']!).values()].map(bytes => bytes.toString('latin1')),
      drawn.text
    ].join('\n')
    expect(read).toContain(Buffer.from('Lucía').toString('latin1'))
    for (const word of [
      'Wilhelmina',
      'Quackenbush',
      'wilhelmina@',
      '600111222',
      'Thaddeus',
      'Brandywine',
      other.id,
      another
    ])
      expect(read, word).not.toContain(word)
  })

  test('is only a salted digest if it is a reason that staff wrote', async () => {
    const { budget, patient } = await documents.anAcceptedBudget()
    await patient.post(`${budget.base}/verify`, { code: '000000' })
    await (
      await instance.as('admin')
    ).post(`${BUDGETS}/${budget.id}/unlock-public`, { reason: 'Her sister Wilhelmina called' })
    const log = (await evidenceOf(staff, budget.id)).files['access-log.json']!.toString()
    expect(log).not.toContain('Wilhelmina')
    expect(JSON.parse(log).rows.at(-1)).toMatchObject({
      action: 'unlocked',
      detail: { reason: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } }
    })
  })
})

describe('the page\'s checks of the service\'s evidence', () => {
  const own = () => signedFiles(files)
  const states = ({ checks }: Report) => Object.fromEntries(checks.map(({ name, ok }) => [name, ok]))
  const blamed = ({ checks }: Report) => [...new Set(checks.flatMap(({ blame }) => blame))]

  test('find no fault', async () => {
    const report = await checkEvidence(own())
    expect(states(report)).toEqual({
      list: true,
      hashes: true,
      certificate: true,
      content: true,
      document: true,
      log: true,
      seal: true
    })
    expect([report.ok, report.seal.certificate]).toEqual([true, json('hashes.json').certificate.sha256])
  })

  test('name the file in which any byte was changed', async () => {
    for (const [name, bytes] of own()) {
      for (const at of [0, bytes.length >> 1, bytes.length - 1]) {
        const report = await checkEvidence(own().set(name, flipped(bytes, at)))
        expect([report.ok, blamed(report).includes(name)], `${name} at ${at}`).toEqual([false, true])
        if (!name.startsWith('hashes.')) expect(blamed(report), `${name} at ${at}`).toEqual([name])
      }
    }
  })

  test('name missing and added files', async () => {
    for (const name of own().keys()) {
      const fewer = own()
      fewer.delete(name)
      expect(blamed(await checkEvidence(fewer)), name).toContain(name)
    }
    expect(blamed(await checkEvidence(own().set('note.txt', new Uint8Array(3))))).toEqual(['note.txt'])
  })

  test('report a list that another key signed, and a list that names another key than the certificate\'s', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const signed = (list: Buffer) =>
      new TextEncoder().encode(createSign('sha256').update(list).sign(privateKey, 'base64') + '\n')
    expect(states(await checkEvidence(own().set('hashes.sig', signed(files['hashes.json']!))))).toMatchObject({
      list: false,
      certificate: true
    })
    const list = json('hashes.json')
    list.certificate.public_key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    const other = Buffer.from(JSON.stringify(list))
    expect(
      states(await checkEvidence(own().set('hashes.json', new Uint8Array(other)).set('hashes.sig', signed(other))))
    ).toMatchObject({ list: true, certificate: false })
  })

  test('accept no list that was signed by a key of an unknown type', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const list = json('hashes.json')
    list.certificate.public_key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    const other = Buffer.from(JSON.stringify(list))
    const report = await checkEvidence(
      own()
        .set('hashes.json', new Uint8Array(other))
        .set('hashes.sig', new TextEncoder().encode(`${sign(null, other, privateKey).toString('base64')}\n`))
    )
    expect([report.ok, states(report)]).toMatchObject([false, { list: false, certificate: false }])
  })

  test('report a broken seal after a change of the bytes that it covers or of the signature, and after added bytes', async () => {
    const pdf = files['signed.pdf']!
    const from = pdf.indexOf('/Contents <') + 11
    const to = from + pdf.toString('latin1', from).search(/0*>/)
    for (let at = 7; at < pdf.length; at += 397) {
      const isSignature = at >= from && at < pdf.indexOf('>', from)
      if (!isSignature) expect((await checkSeal(flipped(pdf, at))).ok, `at ${at}`).toBe(false)
    }
    expect((await checkSeal(flipped(pdf, to - 20))).ok).toBe(false) // the signature's own number is at the end
    expect((await checkSeal(new Uint8Array([...pdf, 0x0A]))).ok).toBe(false)
    expect((await checkSeal(new Uint8Array(pdf))).ok).toBe(true)
  })
})

describe('requesting the evidence', () => {
  test('needs an acceptance and its document', async () => {
    const budget = await aSentBudget(instance)
    const path = `${BUDGETS}/${budget.id}/evidence`
    expect((await staff.get(path)).body).toMatchObject({ status: 404, code: 'not_signed' })
    const patient = await aVerifiedPatient(instance, budget)
    await patient.post(`${budget.base}/reject`, { reason: 'Too expensive' })
    expect((await staff.get(path)).body.code).toBe('not_signed')
  })

  test('waits for the document, and is refused if its bytes are not the signed ones', async () => {
    const { budget } = await documents.anAcceptedBudget()
    const path = `${BUDGETS}/${budget.id}/evidence`
    await instance.sql`update budget set signed_pdf_status = 'pending' where id = ${budget.id}`
    const pending = await staff.get(path)
    expect([pending.body.code, pending.headers.get('retry-after')]).toEqual(['signed_pdf_pending', '2'])
    await instance.sql`update budget set signed_pdf_status = 'ready', signed_pdf_sha256 = ${'0'.repeat(64)} where id = ${budget.id}`
    expect((await staff.get(path)).body).toMatchObject({ status: 500, code: 'fingerprint_mismatch' })
    expect((await documents.logOf(budget.id, 'signed_pdf_download')).map(row => row.detail.reason)).toEqual([
      'signed_pdf_pending',
      'fingerprint_mismatch'
    ])
  })

  test('of a log that was changed in the database returns a file that reports the change', async () => {
    const { budget } = await documents.anAcceptedBudget()
    await instance.sql`update budget_access_log set success = false where budget_id = ${budget.id} and action = 'accepted'`
    const { files: found } = await evidenceOf(staff, budget.id)
    expect(JSON.parse(found['access-log.json']!.toString()).whole).toBe(false)
  })

  test('of a log whose beginning was removed returns a log that begins at the checkpoint and is valid', async () => {
    const { budget } = await documents.anAcceptedBudget()
    await ageLog(instance, budget.id, { months: 121, upTo: 3 })
    await instance.runtime.host.registry
      .get('budget')!
      .definition.jobs!['trim-logs']!.run({}, budgetCtx(instance), { attempt: 1 })
    const { files: found } = await evidenceOf(staff, budget.id)
    const log = JSON.parse(found['access-log.json']!.toString())
    expect([log.checkpoint.seq, log.rows[0].seq, log.rows[0].prev_hash === log.checkpoint.hash, log.whole]).toEqual([
      3,
      4,
      true,
      true
    ])
    expect((await checkEvidence(signedFiles(found))).ok).toBe(true)
  })

  test('of an erased patient returns the held file, or nothing if that is not the one that was kept', async () => {
    const admin = await instance.as('admin')
    const patient = await aPatient(admin, { first_name: 'Ottilie', last_name: 'Vanderbilt' })
    const budget = await aSentBudget(instance, { patient_id: patient.id })
    await documents.accept(budget, await aVerifiedPatient(instance, budget), {
      ...ACCEPTANCE,
      signer_name: 'Ottilie Vanderbilt'
    })
    await documents.isReady(budget.id)
    expect((await admin.post(`/api/v1/clinic/persons/${patient.id}/erase`, { dry_run: false })).status).toBe(200)

    const held = await evidenceOf(staff, budget.id)
    expect(held.zip).toEqual((await evidenceOf(staff, budget.id)).zip)
    expect(JSON.parse(held.files['signature.json']!.toString()).signer_name).toBe('Ottilie Vanderbilt')
    expect((await checkEvidence(signedFiles(held.files))).ok).toBe(true)

    writeFileSync(join(instance.storage, 'documents', instance.clinic.id, budget.id, 'evidence.zip'), 'x')
    expect((await staff.get(`${BUDGETS}/${budget.id}/evidence`)).body.code).toBe('fingerprint_mismatch')
  })

  test('twice returns the same bytes for everything that did not change', async () => {
    const again = (await evidenceOf(staff, id)).files
    for (const name of [
      'signed.pdf',
      'content.json',
      'signature.json',
      'signature.png',
      'certificate.pem',
      'README.txt'
    ])
      expect(again[name], name).toEqual(files[name])
  })

  test('is logged as a download of the signed PDF, with the member of staff', async () => {
    const before = await documents.logOf(id, 'signed_pdf_download')
    const { headers } = await staff.head(`${BUDGETS}/${id}/evidence`)
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="PRES-\d{4}-\d{4}-evidence\.zip"$/)
    expect(await documents.logOf(id, 'signed_pdf_download')).toHaveLength(before.length)
    await staff.get(`${BUDGETS}/${id}/evidence`)
    expect((await documents.logOf(id, 'signed_pdf_download')).at(-1)).toMatchObject({
      success: true,
      actor: 'staff',
      detail: { as: 'evidence' }
    })
  })
})
