import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as asn1js from 'asn1js'
import { PDFArray, PDFDict, PDFDocument, PDFName, PDFNumber } from 'pdf-lib'
import * as pkijs from 'pkijs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Ctx } from '@svc/kit'
import { readConfig, type Config } from '../../server/core/config.ts'
import { readOperatorCertificate } from '../../server/core/documents/operator-certificate.ts'
import { createDocuments } from '../../server/core/documents/seal.ts'
import { checkSeal } from '@svc/evidence-page/pdf-seal.ts'
import { aDecision, aDocument, renderBudget } from '../support/documents/budget-document.ts'
import { eventually } from '../support/builders.ts'
import { aCertificate, hasOpenssl, inDays, pkcs12Folder, type KeyKind } from '../support/outside/certificates.ts'
import { anInstance, type Instance } from '../support/instance.ts'
import { root } from '../support/modules/official.ts'
import { anAuthority, type Authority } from '../support/outside/time-stamp-authority.ts'

const hasPdfsig = spawnSync('pdfsig', ['-v']).error === undefined
// A missing tool may skip a test, but not with CI=true.
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

const about = {
  reason: 'Aceptación (1) \\) Ωμέγα',
  signer: 'Clínica "Ω" )',
  signed_at: new Date('2026-11-20T10:00:00Z')
}

async function sealed(documents = instance.runtime.host.documents): Promise<Buffer> {
  const { bytes } = await renderBudget(aDocument({ decision: aDecision() }))
  return Buffer.from((await documents.seal(bytes, about)).bytes)
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
    // The certificate was made at the template's first start, with the template's address.
    expect(report).toContain('Signer Certificate Common Name: localhost')
  })

  withPdfsig('breaks when a byte changes', async () => {
    const bytes = await sealed()
    const at = bytes.indexOf('/Title')
    bytes[at + 12] = bytes[at + 12]! ^ 1
    expect(pdfsig(bytes)).not.toContain('Signature is Valid.')
  })

  test('certifies the document and permits no changes (DocMDP)', async () => {
    const { catalog, context } = await PDFDocument.load(await sealed(), { updateMetadata: false })
    const name = (text: string) => PDFName.of(text)
    const certification = catalog.lookup(name('Perms'), PDFDict).get(name('DocMDP'))
    const field = catalog.lookup(name('AcroForm'), PDFDict).lookup(name('Fields'), PDFArray).lookup(0, PDFDict)
    expect(certification).toBe(field.get(name('V')))
    const reference = (context.lookup(certification) as PDFDict).lookup(name('Reference'), PDFArray).lookup(0, PDFDict)
    expect(reference.get(name('TransformMethod'))).toBe(name('DocMDP'))
    expect(reference.lookup(name('TransformParams'), PDFDict).lookup(name('P'), PDFNumber).asNumber()).toBe(1)
  })

  withPdfsig('does not hold for what is appended later, for pdfsig and the page that checks evidence', async () => {
    const bytes = await sealed()
    const longer = appended(bytes)
    expect([(await checkSeal(new Uint8Array(bytes))).ok, (await checkSeal(new Uint8Array(longer))).ok]).toEqual([
      true,
      false
    ])
    expect(pdfsig(longer)).toContain('Not total document signed')
    expect((await PDFDocument.load(longer, { updateMetadata: false })).getTitle()).toBe('Another title')
  })

  test('stores names as text, whatever characters they contain', async () => {
    const bytes = await sealed()
    expect(bytes.toString('latin1')).not.toContain('Ωμέγα')
    expect(bytes.toString('latin1')).toContain('/SubFilter /ETSI.CAdES.detached')
  })
})

/** An incremental update (ISO 32000-1, 7.5.6) that changes the document's title. */
function appended(pdf: Buffer): Buffer {
  const text = pdf.toString('latin1')
  const [, object] = /\/Info (\d+) 0 R/.exec(text)!
  const before = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)![1]
  const root = /\/Root \d+ 0 R/.exec(text)![0]
  const size = /\/Size (\d+)/.exec(text)![1]
  const body = `\n${object} 0 obj\n<< /Title (Another title) >>\nendobj\n`
  const xref = pdf.length + body.length
  const table = `xref\n${object} 1\n${String(pdf.length + 1).padStart(10, '0')} 00000 n \n`
  const trailer = `trailer\n<< /Size ${size} ${root} /Info ${object} 0 R /Prev ${before} >>\nstartxref\n${xref}\n%%EOF\n`
  return Buffer.concat([pdf, Buffer.from(body + table + trailer, 'latin1')])
}

/** Seals as an instance with these settings does. */
async function documentsWith(env: Record<string, string>): Promise<Ctx['documents']> {
  const config = { ...instance.runtime.host.config, ...pick(readConfig(env, root)) }
  return createDocuments({ ...instance.runtime.host, config, operator: await readOperatorCertificate(config) })
}
const pick = ({ seal_p12, seal_password, tsa_url }: Config) => ({ seal_p12, seal_password, tsa_url })

/** The parts of the file that the signature covers, and the signature. */
function taken(pdf: Buffer): { content: Buffer, cms: Buffer } {
  const [, start, length, after, rest] = /\/ByteRange \[(\d+) (\d+) (\d+) (\d+)/
    .exec(pdf.toString('latin1'))!
    .map(Number)
  const padded = Buffer.from(pdf.subarray(length! + 1, after! - 1).toString('latin1'), 'hex')
  return {
    content: Buffer.concat([pdf.subarray(start, length), pdf.subarray(after, after! + rest!)]),
    cms: padded.subarray(0, asn1js.fromBER(new Uint8Array(padded)).offset)
  }
}

function openssl(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  return stdout + stderr
}

describe.runIf(hasOpenssl)('the seal with the operator\'s certificate', () => {
  let files: ReturnType<typeof pkcs12Folder>
  beforeAll(() => { files = pkcs12Folder() })
  afterAll(() => files.close())

  async function aChain(kind: KeyKind) {
    const ca = await aCertificate({ name: 'Authority', ca: true, kind: 'RSA-2048' })
    const between = await aCertificate({ name: 'Between', ca: true, issuer: ca })
    const own = await aCertificate({ name: 'Clínica Ω', kind, issuer: between })
    const p12 = files.pkcs12({
      certificates: [own.certificate, between.certificate, ca.certificate],
      key: own.key,
      name: `${kind}.p12`
    })
    return { ca, own, documents: await documentsWith({ SVC_SEAL_P12: p12, SVC_SEAL_PASSWORD: 'pass word' }) }
  }

  withPdfsig.each<KeyKind>(['RSA-2048', 'P-256', 'P-384'])(
    'of %s is valid, with the whole chain, for pdfsig and openssl',
    async (kind) => {
      const { ca, documents } = await aChain(kind)
      const bytes = await sealed(documents)
      const report = pdfsig(bytes)
      expect(report).toContain('Signature is Valid.')
      expect(report).toContain('Signature Type: ETSI.CAdES.detached')
      expect(report).toContain('Total document signed')
      expect(report).toContain('Signer Certificate Common Name: Clínica Ω')
      const { content, cms } = taken(bytes)
      writeFileSync(join(folder, 'content'), content)
      writeFileSync(join(folder, 'cms.der'), cms)
      writeFileSync(join(folder, 'ca.pem'), ca.certificate)
      // The intermediate certificate comes from the signature itself. CAdES: the signing certificate attribute is
      // checked too.
      expect(
        openssl(
          'cms',
          '-verify',
          '-cades',
          '-binary',
          '-inform',
          'DER',
          '-in',
          'cms.der',
          '-content',
          'content',
          '-CAfile',
          'ca.pem',
          '-purpose',
          'any',
          '-out',
          '/dev/null'
        )
      ).toContain('successful')
    }
  )

  withPdfsig('of ECDSA is valid each time: its numbers are of changing length', async () => {
    const { documents } = await aChain('P-384')
    const { bytes } = await renderBudget(aDocument())
    for (let count = 0; count < 20; count++)
      expect(pdfsig(Buffer.from((await documents.seal(bytes, about)).bytes))).toContain('Signature is Valid.')
  })

  test.each<KeyKind>(['RSA-2048', 'P-256', 'P-384'])('has a readable subject and end, and signs bytes that WebCrypto verifies: %s', async (kind) => {
    const { own, documents } = await aChain(kind)
    const told = await documents.certificate()
    expect(told).toMatchObject({ subject: 'CN=Clínica Ω', not_after: own.x509.notAfter })
    const { algorithm, hash, named_curve, signature } = await documents.sign(Buffer.from('a list of hashes'))
    expect(named_curve).toBe(kind.startsWith('P') ? kind : undefined)
    const key = await crypto.subtle.importKey(
      'spki',
      Buffer.from(told.spki),
      { name: algorithm, hash, namedCurve: named_curve! },
      false,
      ['verify']
    )
    expect(
      await crypto.subtle.verify(
        { name: algorithm, hash },
        key,
        Buffer.from(signature),
        Buffer.from('a list of hashes')
      )
    ).toBe(true)
    expect(
      await crypto.subtle.verify({ name: algorithm, hash }, key, Buffer.from(signature), Buffer.from('another list'))
    ).toBe(false)
  })

  test('is made only within the certificate\'s validity, which may end while the service runs', async () => {
    const { bytes } = await renderBudget(aDocument())
    const madeWith = async (wish: { from?: Date, to?: Date }) => {
      const own = await aCertificate(wish)
      return documentsWith({
        SVC_SEAL_P12: files.pkcs12({ certificates: [own.certificate], key: own.key }),
        SVC_SEAL_PASSWORD: 'pass word'
      })
    }
    const end = inDays(-2)
    const ended = await madeWith({ from: inDays(-9), to: end })
    await expect(ended.seal(bytes, about)).rejects.toThrow(
      `expired on ${end.toISOString().slice(0, 10)}: put a valid one where SVC_SEAL_P12 says and restart`
    )
    expect((await ended.certificate()).not_after < new Date()).toBe(true)
    await expect((await madeWith({ from: inDays(2) })).seal(bytes, about)).rejects.toThrow('not yet')

    const ending = await madeWith({ to: new Date(Date.now() + 10_000) })
    expect((await ending.seal(bytes, about)).time_stamp).toBe(false)
    await eventually(
      () =>
        ending.seal(bytes, about).then(
          () => false,
          error => /expired on/.test(error.message)
        ),
      'the end of the certificate'
    )
  })
})

describe.runIf(hasOpenssl)('the seal with a time stamp', () => {
  let authority: Authority
  let documents: Ctx['documents']
  beforeAll(async () => {
    authority = await anAuthority()
    documents = await documentsWith({ SVC_TSA_URL: authority.url })
  })
  afterAll(() => authority.close())

  withPdfsig('is valid, and its token is over the signature value', async () => {
    const { bytes: pdf } = await renderBudget(aDocument())
    const { bytes, time_stamp } = await documents.seal(pdf, about)
    expect(time_stamp).toBe(true)
    expect(pdfsig(Buffer.from(bytes))).toContain('Signature is Valid.')

    const { cms } = taken(Buffer.from(bytes))
    const signed = new pkijs.SignedData({ schema: pkijs.ContentInfo.fromBER(new Uint8Array(cms)).content })
    const [{ signature, unsignedAttrs }] = signed.signerInfos as [pkijs.SignerInfo]
    expect(unsignedAttrs!.attributes.map(({ type }) => type)).toEqual(['1.2.840.113549.1.9.16.2.14'])
    writeFileSync(join(folder, 'signature'), signature.valueBlock.valueHexView)
    writeFileSync(join(folder, 'token.der'), Buffer.from(unsignedAttrs!.attributes[0]!.values[0].toBER()))
    writeFileSync(join(folder, 'root.pem'), authority.root.certificate)
    expect(
      openssl('ts', '-verify', '-data', 'signature', '-in', 'token.der', '-token_in', '-CAfile', 'root.pem')
    ).toContain('Verification: OK')
  })

  withPdfsig('is made without one when the authority answers rubbish', async () => {
    authority.answer = response => void response.end('hello')
    const { bytes: pdf } = await renderBudget(aDocument())
    const { bytes, time_stamp } = await documents.seal(pdf, about)
    expect(time_stamp).toBe(false)
    expect(pdfsig(Buffer.from(bytes))).toContain('Signature is Valid.')
  })
})
