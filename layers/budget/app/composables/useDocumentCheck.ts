import { call } from '../utils/call.ts'

export type CheckResult
  = { match: true, signed_at: string, clinic_name: string, withdrawn_at?: string } | { match: false }
export interface DocumentCheck { sha256: string, file: string | null, result: CheckResult }
/** Why a check failed, and a function to retry it if that can help. */
export interface CheckProblem { text: string, field: boolean, again: (() => Promise<void>) | null }

/** The maximum size of a signed PDF, in bytes. The server creates no larger ones. */
const MAX_BYTES = 20_000_000

/** Checks documents by their fingerprints. The file is hashed here and never sent. */
export function useDocumentCheck() {
  const { t } = useI18n()
  const busy = ref<'reading' | 'asking' | null>(null)
  const error = shallowRef<CheckProblem | null>(null)
  const done = shallowRef<DocumentCheck | null>(null)

  async function checkFile(file: File) {
    if (!begin()) return
    busy.value = 'reading'
    const wrong = await refusal(file)
    const sha256 = wrong ? null : await fingerprint(file)
    busy.value = null
    if (sha256) await ask(sha256, file.name)
    else fail(whyNot(wrong ?? 'unreadable'))
  }

  async function checkFingerprint(typed: string) {
    if (!begin()) return
    const sha256 = typed.replace(/[\s:]/g, '').toLowerCase()
    if (/^[0-9a-f]{64}$/.test(sha256)) await ask(sha256, null)
    else fail(t('verify.not_fingerprint'), { field: true })
  }

  async function ask(sha256: string, file: string | null) {
    if (!begin()) return
    busy.value = 'asking'
    const answer = await call<CheckResult>('/api/v1/public/documents/check', { method: 'POST', body: { sha256 } })
    busy.value = null
    if (answer.ok) done.value = { sha256, file, result: answer.data }
    else
      fail(t(answer.problem.status === 429 ? 'verify.too_many' : 'verify.unreachable'), {
        again: () => ask(sha256, file)
      })
  }

  function begin(): boolean {
    if (busy.value) return false
    done.value = null
    error.value = null
    return true
  }

  const whyNot = (refusal: Refusal) =>
    ({
      empty: t('verify.empty'),
      too_large: t('verify.too_large'),
      not_pdf: t('verify.not_pdf'),
      unreadable: t('verify.unreadable')
    })[refusal]

  const fail = (text: string, { field = false, again = null }: Partial<CheckProblem> = {}) => {
    error.value = { text, field, again }
  }

  return { busy, error, done, checkFile, checkFingerprint }
}

type Refusal = 'empty' | 'too_large' | 'not_pdf' | 'unreadable'

/** Why a file can't be a signed PDF, without asking the server. */
async function refusal(file: File): Promise<Refusal | null> {
  if (file.size === 0) return 'empty'
  if (file.size > MAX_BYTES) return 'too_large'
  try {
    return await file.slice(0, 5).text() === '%PDF-' ? null : 'not_pdf'
  } catch {
    return 'unreadable'
  }
}

/** SHA-256 in hex. Null if the file can't be read, for example because it was moved. */
async function fingerprint(file: File): Promise<string | null> {
  try {
    const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
    return Array.from(new Uint8Array(hash), byte => byte.toString(16).padStart(2, '0')).join('')
  } catch {
    return null
  }
}
