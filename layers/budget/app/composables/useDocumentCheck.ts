import { call } from '../utils/call.ts'

export type CheckResult = { match: true, signed_at: string, clinic_name: string } | { match: false }
export interface DocumentCheck { sha256: string, file: string | null, result: CheckResult }

/** Compares fingerprints of documents. A file is hashed here and never sent. */
export function useDocumentCheck() {
  const { t } = useI18n()
  const busy = ref<'reading' | 'asking' | null>(null)
  const error = ref<string | null>(null)
  const done = shallowRef<DocumentCheck | null>(null)

  async function checkFile(file: File) {
    if (busy.value) return
    busy.value = 'reading'
    error.value = null
    done.value = null
    const sha256 = await fingerprint(file)
    busy.value = null
    if (sha256) await ask(sha256, file.name)
    else error.value = t('verify.unreadable')
  }

  async function checkFingerprint(typed: string) {
    if (busy.value) return
    done.value = null
    error.value = null
    const sha256 = typed.replace(/[\s:]/g, '').toLowerCase()
    if (/^[0-9a-f]{64}$/.test(sha256)) await ask(sha256, null)
    else error.value = t('verify.not_fingerprint')
  }

  async function ask(sha256: string, file: string | null) {
    busy.value = 'asking'
    const answer = await call<CheckResult>('/api/v1/public/documents/check', { method: 'POST', body: { sha256 } })
    busy.value = null
    if (answer.ok) done.value = { sha256, file, result: answer.data }
    else error.value = t(answer.problem.status === 429 ? 'verify.too_many' : 'verify.unreachable')
  }

  return { busy, error, done, checkFile, checkFingerprint }
}

/** SHA-256 in hex; null when the file cannot be read (it was moved, say). */
async function fingerprint(file: File): Promise<string | null> {
  try {
    const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
    return Array.from(new Uint8Array(hash), byte => byte.toString(16).padStart(2, '0')).join('')
  } catch {
    return null
  }
}
