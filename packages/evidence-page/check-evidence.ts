import type { DecisionRecord, HashList, LogExtract } from './types.ts'
import { fromBase64, same, sha256, textOf, toBase64, type Bytes, type Files } from './bytes.ts'
import { brokenAt } from './check-log.ts'
import { derOfPem, readCertificate } from './der.ts'
import { checkSeal } from './pdf-seal.ts'
import { verifySignature } from './verify-signature.ts'

export const LIST = 'hashes.json'

export type CheckName = 'list' | 'hashes' | 'certificate' | 'content' | 'document' | 'log' | 'seal'
/**
 * `ok` is null if the check wasn't possible, which only happens for a seal of an unknown kind. `blame`: the files that
 * fail the check.
 */
export interface Check { name: CheckName, ok: boolean | null, blame: string[] }
export interface Report {
  ok: boolean
  checks: Check[]
  /** Null when it could not be read. */ list: HashList | null
  seal: { certificate: string | null }
}

/**
 * Whether the files are as the service signed them, and consistent. Never throws: an unreadable file fails its check.
 */
export async function checkEvidence(files: Files): Promise<Report> {
  const list = readJson<HashList>(files.get(LIST))
  if (!list)
    return { ok: false, list, checks: [{ name: 'list', ok: false, blame: [LIST] }], seal: { certificate: null } }

  const changed = await changedFiles(files, list)
  const seal = await checkSeal(files.get('signed.pdf') ?? new Uint8Array()).catch(() => ({
    ok: false,
    certificate: null
  }))
  const check = async (
    name: CheckName,
    about: string[],
    examine: () => Promise<boolean | null> | boolean | null
  ): Promise<Check> => {
    const ok = await tried(examine)
    const guilty = about.filter(file => changed.includes(file))
    return { name, ok, blame: ok === false ? (guilty.length > 0 ? guilty : about) : [] }
  }
  const checks: Check[] = [
    await check('list', [LIST, list.signature.file], () => isSigned(files, list)),
    { name: 'hashes', ok: changed.length === 0, blame: changed },
    await check('certificate', [list.certificate.file], () => isCertificate(files, list)),
    await check('content', ['content.json', 'signature.json'], () => isContent(files, list)),
    await check(
      'document',
      ['signed.pdf', 'signature.json'],
      async () => (await sha256(get(files, 'signed.pdf'))) === record(files).document_sha256
    ),
    await check(
      'log',
      ['access-log.json'],
      () => brokenAt(json<LogExtract>(files, 'access-log.json'), list.log) === null
    ),
    await check('seal', ['signed.pdf'], () => seal.ok)
  ]
  return { ok: checks.every(({ ok }) => ok !== false), checks, list, seal }
}

/** Files that are missing, that differ from the list in size or hash, or that the list doesn't contain. */
async function changedFiles(files: Files, list: HashList): Promise<string[]> {
  const wrong: string[] = []
  for (const [name, { sha256: wanted, size }] of Object.entries(list.files)) {
    const bytes = files.get(name)
    if (bytes?.length !== size || await sha256(bytes) !== wanted) wrong.push(name)
  }
  const known = [...Object.keys(list.files), LIST, list.signature.file]
  return [...wrong, ...[...files.keys()].filter(name => !known.includes(name))]
}

/** A key of an unknown kind fails, because every other check depends on this signature. */
async function isSigned(files: Files, list: HashList): Promise<boolean> {
  const text = textOf(get(files, list.signature.file))
  const signature = fromBase64(text)
  if (text !== `${toBase64(signature)}\n`) return false // the same bytes in another encoding: the file was changed
  return (
    (await verifySignature({ public_key: fromBase64(list.certificate.public_key), data: get(files, LIST), signature }))
    === true
  )
}

/** Whether the signing key is the certificate's. */
async function isCertificate(files: Files, { certificate }: HashList): Promise<boolean> {
  const der = derOfPem(textOf(get(files, certificate.file)))
  return (
    (await sha256(der)) === certificate.sha256
    && same(readCertificate(der).public_key, fromBase64(certificate.public_key))
  )
}

async function isContent(files: Files, { number, version }: HashList): Promise<boolean> {
  const content = json<{ number: string, version: number }>(files, 'content.json')
  const { content_digest, ...of } = record(files)
  const agree = [content, of].every(one => one.number === number && one.version === version)
  return agree && await sha256(get(files, 'content.json')) === content_digest
}

const record = (files: Files) => json<DecisionRecord>(files, 'signature.json')

function get(files: Files, name: string): Bytes {
  const bytes = files.get(name)
  if (!bytes) throw new RangeError(`${name} is missing`)
  return bytes
}

const json = <T>(files: Files, name: string): T => JSON.parse(textOf(get(files, name))) as T

/** Returns null if the file is missing or isn't JSON. */
export function readJson<T>(bytes: Bytes | undefined): T | null {
  try {
    return bytes ? JSON.parse(textOf(bytes)) as T : null
  } catch {
    return null // treated like a missing file, which the caller reports
  }
}

/** A check that throws has failed, because a file couldn't be read. */
async function tried(examine: () => Promise<boolean | null> | boolean | null): Promise<boolean | null> {
  try {
    return await examine()
  } catch {
    return false // the failed check is shown
  }
}
