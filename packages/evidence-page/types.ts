/**
 * The contents of an evidence file. Only types: the server writes the file, and the page inside it never changes and
 * only reads its own file.
 */

/** `hashes.json`, which names every other file and is signed by the service. */
export interface HashList {
  algorithm: 'SHA-256'
  number: string
  version: number
  made_at: string
  /** Where to request a document from the service. */
  check_url: string
  files: Record<string, { sha256: string, size: number }>
  /**
   * `check.html` cannot be among the files, because it holds this list: the hash is that of the page without its
   * copies.
   */
  page: { file: string, sha256: string }
  /** The end of the log. */
  log: { seq: number, hash: string | null }
  /** The file with the signature over this list: base64 of an ECDSA signature in DER, as OpenSSL expects it. */
  signature: { file: string }
  /** The signing key's certificate. `sha256` is of the DER; `public_key` is the SubjectPublicKeyInfo, base64. */
  certificate: { file: string, sha256: string, subject: string, not_after: string, public_key: string }
}

/** `access-log.json`, oldest row first. */
export interface LogExtract {
  budget_id: string
  number: string
  version: number
  /** Whether every row was unchanged when the service made this file. */
  whole: boolean
  /** Replaces the rows before the first one, which were removed after their retention period. */
  checkpoint: { seq: number, hash: string, rows: number, from_at: string, to_at: string, made_at: string } | null
  rows: LogExtractRow[]
}

export interface LogExtractRow {
  seq: number
  /** An instant with microseconds, in the form that was hashed. */
  at: string
  action: string
  success: boolean
  actor: 'patient' | 'staff' | 'system'
  /** Codes and counts. Free text is given as its salted digest. */
  detail: Record<string, unknown>
  prev_hash: string | null
  hash: string
}

/** `withdrawal.json`, present if the acceptance was withdrawn. */
export interface WithdrawalRecord {
  budget_id: string
  number: string
  version: number
  withdrawn_at: string
  requested_by: 'patient' | 'guardian' | 'representative' | null
  /** The member of staff who recorded it. */
  withdrawn_by: string | null
  /** Null in the file that is kept after a patient's data was erased. */
  reason: string | null
}

/** `messages.json`: the messages between patient and clinic about all versions of the budget, oldest first. */
export interface MessagesFile {
  number: string
  /** Whether each message was unchanged when the service made this file. */
  whole: boolean
  messages: { id: string, from: 'patient' | 'clinic', /** Null after an erasure. */ text: string | null, at: string }[]
}

/** `signature.json`. */
export interface DecisionRecord {
  id: string
  budget_id: string
  number: string
  version: number
  decision: 'accepted'
  decided_via: 'remote_link' | 'in_clinic'
  signer_name: string
  relationship: string | null
  method: string | null
  /** The file name of the signature's image. */
  image: string | null
  consent_version: string | null
  /** The consent sentence. Absent or null in files of earlier releases. */
  consent_text?: string | null
  content_digest: string
  document_sha256: string
  ip: string | null
  user_agent: string | null
  witness: string | null
  decided_at: string
  time_zone: string
  locale: string
  /** The patient of the budget and the author of this version; null if the record is older than these fields. */
  patient_id: string | null
  author: string | null
  /**
   * The person who set the code, and so knew both code and link. Null for a decision in the clinic, or if the log
   * doesn't record it.
   */
  known_to?: string | null
}
