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
if (!hasPoppler) console.warn('pdfsig, pdftotext and pdftoppm are missing (poppler-utils): signed PDFs are not checked by foreign tools')

/** A missing tool may skip a test, but never with CI=true. */
export const withPoppler = test.skipIf(!hasPoppler && process.env.CI !== 'true')

export interface Seal { valid: boolean, whole: boolean, /** The certificate in it is the one that was signed along (RFC 5035), which pdfsig does not look at. */ named: boolean, report: string }

/** What foreign programs make of a PDF, in a folder of their own. */
export function aPdfDesk() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-pdf-'))
  let files = 0

  async function ask(tool: string, bytes: Uint8Array, words: (file: string) => string[]): Promise<{ stdout: string, file: string }> {
    const file = join(folder, `${++files}.pdf`)
    writeFileSync(file, bytes)
    const { stdout } = await run(tool, words(file), { maxBuffer: 50_000_000 }).catch((error: { stdout?: string, stderr?: string }) => ({ stdout: `${error.stdout}${error.stderr}` }))
    return { stdout, file }
  }

  return {
    async seal(bytes: Uint8Array): Promise<Seal> {
      const { stdout: report, file } = await ask('pdfsig', bytes, file => [file])
      rmSync(file)
      return { valid: report.includes('Signature is Valid.'), whole: report.includes('- Total document signed'), named: namesItsCertificate(bytes), report }
    },
    text: async (bytes: Uint8Array): Promise<string> => (await ask('pdftotext', bytes, file => ['-layout', file, '-'])).stdout,
    /** A page as it is seen. */
    async picture(bytes: Uint8Array, { dpi, page }: { dpi: number, page: number }): Promise<PNG> {
      const { file } = await ask('pdftoppm', bytes, file => ['-r', String(dpi), '-f', String(page), '-l', String(page), '-png', '-singlefile', file, file])
      return PNG.sync.read(readFileSync(`${file}.png`))
    },
    close: () => rmSync(folder, { recursive: true, force: true })
  }
}

/** What `signing-certificate-v2` says against the certificate that lies beside it. */
function namesItsCertificate(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString('latin1')
  const contents = /\/Contents <([0-9A-Fa-f]+)>/.exec(text)
  if (!contents) return false
  try {
    const { content } = ContentInfo.fromBER(new Uint8Array(Buffer.from(contents[1]!, 'hex')))
    const { certificates = [], signerInfos: [signer] } = new SignedData({ schema: content })
    const attribute = signer!.signedAttrs!.attributes.find(({ type }) => type === '1.2.840.113549.1.9.16.2.47')!
    const named = Buffer.from(attribute.values[0].valueBlock.value[0].valueBlock.value[0].valueBlock.value[0].valueBlock.valueHexView)
    return createHash('sha256').update(new Uint8Array((certificates[0] as Certificate).toSchema(false).toBER(false))).digest().equals(named)
  } catch {
    return false
  }
}
