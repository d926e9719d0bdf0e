import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkEvidence } from '@svc/evidence-page/check-evidence.ts'
import { aCertificate, pkcs12Folder, type KeyKind } from '../support/outside/certificates.ts'
import { documentsOf } from '../support/documents/documents.ts'
import { evidenceOf, writeFiles } from '../support/documents/evidence.ts'
import { anInstance } from '../support/instance.ts'
import { anAuthority, type Authority } from '../support/outside/time-stamp-authority.ts'

const store = pkcs12Folder()
let authority: Authority
beforeAll(async () => {
  authority = await anAuthority()
})
afterAll(async () => {
  await authority.close()
  store.close()
})

test.each<KeyKind>(['RSA-2048', 'P-256', 'P-384'])(
  'evidence sealed with an operator\'s certificate (%s), its chain and a time stamp is valid for the page and OpenSSL',
  { timeout: 120_000 },
  async (kind) => {
    const ca = await aCertificate({ name: 'Authority', ca: true })
    const own = await aCertificate({ kind, issuer: ca })
    const p12 = store.pkcs12({ certificates: [own.certificate, ca.certificate], key: own.key, name: `${kind}.p12` })
    const instance = await anInstance({
      env: { SVC_SEAL_P12: p12, SVC_SEAL_PASSWORD: 'pass word', SVC_TSA_URL: authority.url }
    })
    const folder = mkdtempSync(join(tmpdir(), 'svc-evidence-'))
    try {
      const { budget } = await (await documentsOf(instance)).anAcceptedBudget()
      const { files } = await evidenceOf(await instance.as('admin'), budget.id)
      const report = await checkEvidence(
        new Map(
          Object.entries(files)
            .filter(([name]) => name !== 'check.html' && name !== 'SHA256SUMS')
            .map(([name, bytes]) => [name, new Uint8Array(bytes)])
        )
      )
      expect(report.checks.map(({ name, ok }) => [name, ok])).toEqual(report.checks.map(({ name }) => [name, true]))
      expect(report.seal.certificate).toBe(report.list!.certificate.sha256)

      writeFiles(join(folder, 'unpacked'), files)
      const commands = [...files['README.txt']!.toString().matchAll(/^ {2}((?:sha256sum|openssl) .+)$/gm)].map(
        match => match[1]!
      )
      expect(
        execFileSync('sh', ['-ec', commands.join('\n')], {
          cwd: join(folder, 'unpacked'),
          encoding: 'utf8',
          stdio: 'pipe'
        })
      ).toContain('Verified OK')
    } finally {
      rmSync(folder, { recursive: true, force: true })
      await instance.close()
    }
  }
)
