import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../server/core/config.ts'
import { createDocuments } from '../../server/core/documents/seal.ts'
import { renderBudget } from '../../layers/budget/server/pdf/render.ts'
import { aDecision, aDocument } from '../support/budget-document.ts'
import { anInstance, type Instance } from '../support/instance.ts'
import { root } from '../support/official.ts'

const hasPdfsig = spawnSync('pdfsig', ['-v']).error === undefined
// A missing tool may skip a test, but never with CI=true.
const withPdfsig = test.skipIf(!hasPdfsig && process.env.CI !== 'true')
if (!hasPdfsig) console.warn('pdfsig is missing (poppler-utils): the seal is not checked by a foreign tool')

let instance: Instance
let folder: string
beforeAll(async () => {
  instance = await anInstance()
  folder = mkdtempSync(join(tmpdir(), 'svc-seal-'))
})
afterAll(async () => {
  await instance.close()
  rmSync(folder, { recursive: true, force: true })
})

const about = { reason: 'Aceptación (1) \\) Ωμέγα', signer: 'Clínica "Ω" )', signed_at: new Date('2026-11-20T10:00:00Z') }

async function sealed(): Promise<Buffer> {
  const { bytes } = await renderBudget(aDocument({ decision: aDecision() }))
  return Buffer.from(await instance.runtime.services.documents.seal(bytes, about))
}

function pdfsig(bytes: Buffer): string {
  const file = join(folder, 'sealed.pdf')
  writeFileSync(file, bytes)
  return execFileSync('pdfsig', [file], { encoding: 'utf8' })
}

describe('the seal', () => {
  withPdfsig('is a valid CAdES signature over the whole file, by the instance\'s certificate', async () => {
    const report = pdfsig(await sealed())
    expect(report).toContain('Signature is Valid.')
    expect(report).toContain('Signature Type: ETSI.CAdES.detached')
    expect(report).toContain('Signing Hash Algorithm: SHA-256')
    expect(report).toContain('Total document signed')
    // The certificate was made at the template's first start, under its address.
    expect(report).toContain('Signer Certificate Common Name: localhost')
  })

  withPdfsig('breaks when a byte changes', async () => {
    const bytes = await sealed()
    const at = bytes.indexOf('/Title')
    bytes[at + 12] = bytes[at + 12]! ^ 1
    expect(pdfsig(bytes)).not.toContain('Signature is Valid.')
  })

  test('names are text in it, whatever they are made of', async () => {
    const bytes = await sealed()
    expect(bytes.toString('latin1')).not.toContain('Ωμέγα')
    expect(bytes.toString('latin1')).toContain('/SubFilter /ETSI.CAdES.detached')
  })

  test('a PKCS #12 file is refused, not ignored', () => {
    const { db, secrets, log } = instance.runtime.services
    const config = { ...readConfig({}, root), seal_p12: '/somewhere/seal.p12' }
    expect(() => createDocuments({ db, config, secrets, log })).toThrow('SVC_SEAL_P12 is not supported')
  })
})
