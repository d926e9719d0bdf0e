import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ContentInfo, SignedData, type Certificate } from 'pkijs'
import { PNG } from 'pngjs'
import { test } from 'vitest'

const run = promisify(execFile)
const hasPoppler = spawnSync('pdfsig', ['-v']).error === undefined
if (!hasPoppler)
  console.warn(
    'pdfsig, pdftotext and pdftoppm are missing (poppler-utils): signed PDFs are not checked by foreign tools'
  )

/** A missing tool may skip a test, but not with CI=true. */
export const withPoppler = test.skipIf(!hasPoppler && process.env.CI !== 'true')

export interface Seal {
  valid: boolean
  whole: boolean
  /** What pdfsig does not look at: see `isBound`. */ named: boolean
  report: string
}

/** The results of other programs for a PDF, in a folder of their own. */
export function aPdfDesk() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-pdf-'))
  let files = 0

  async function ask(
    tool: string,
    bytes: Uint8Array,
    words: (file: string) => string[]
  ): Promise<{ stdout: string, file: string }> {
    const file = join(folder, `${++files}.pdf`)
    writeFileSync(file, bytes)
    const { stdout } = await run(tool, words(file), { maxBuffer: 50_000_000 }).catch(
      (error: { stdout?: string, stderr?: string }) => ({ stdout: `${error.stdout}${error.stderr}` })
    )
    return { stdout, file }
  }

  return {
    async seal(bytes: Uint8Array): Promise<Seal> {
      const { stdout: report, file } = await ask('pdfsig', bytes, file => [file])
      rmSync(file)
      return {
        valid: report.includes('Signature is Valid.'),
        whole: report.includes('- Total document signed'),
        named: isBound(bytes),
        report
      }
    },
    text: async (bytes: Uint8Array): Promise<string> =>
      (await ask('pdftotext', bytes, file => ['-layout', file, '-'])).stdout,
    /** A page as an image. */
    async picture(bytes: Uint8Array, { dpi, page }: { dpi: number, page: number }): Promise<PNG> {
      const { file } = await ask('pdftoppm', bytes, file => [
        '-r',
        String(dpi),
        '-f',
        String(page),
        '-l',
        String(page),
        '-png',
        '-singlefile',
        file,
        file
      ])
      return PNG.sync.read(readFileSync(`${file}.png`))
    },
    close: () => rmSync(folder, { recursive: true, force: true })
  }
}

const ATTRIBUTE = { content_type: '1.2.840.113549.1.9.3', signing_certificate_v2: '1.2.840.113549.1.9.16.2.47' }

/**
 * Checks the parts of a CMS that its signature covers only through other attributes: the certificate is the one that
 * the signature names (RFC 5035), type and digest are those of the signer (RFC 5652), it is DER, and its placeholder
 * contains nothing else.
 */
function isBound(bytes: Uint8Array): boolean {
  const contents = /\/Contents <([0-9A-Fa-f]+)>/.exec(Buffer.from(bytes).toString('latin1'))
  if (!contents) return false
  try {
    const room = Buffer.from(contents[1]!, 'hex')
    const { content, contentType } = ContentInfo.fromBER(new Uint8Array(room))
    const signed = new SignedData({ schema: content })
    const { certificates = [], signerInfos: [signer], digestAlgorithms, encapContentInfo, version } = signed
    const valueOf = (type: string) =>
      signer!.signedAttrs!.attributes.find(attribute => attribute.type === type)!.values[0]
    const named = Buffer.from(
      valueOf(ATTRIBUTE.signing_certificate_v2).valueBlock.value[0].valueBlock.value[0].valueBlock.value[0].valueBlock
        .valueHexView
    )
    const der = Buffer.from(new ContentInfo({ contentType, content: signed.toSchema(true) }).toSchema().toBER(false))
    return (
      createHash('sha256')
        .update(new Uint8Array((certificates[0] as Certificate).toSchema(false).toBER(false)))
        .digest()
        .equals(named)
        && version === 1
        && signer!.version === 1
        && encapContentInfo.eContentType === valueOf(ATTRIBUTE.content_type).valueBlock.toString()
        && digestAlgorithms.length === 1
        && digestAlgorithms[0]!.algorithmId === signer!.digestAlgorithm.algorithmId
        && room.subarray(0, der.length).equals(der)
        && room.subarray(der.length).every(byte => byte === 0)
    )
  } catch {
    return false
  }
}
