/**
 * What stands in an evidence file. Types only: the server writes it, and the page inside of the file, which is for ever
 * as old as the file, reads nothing but its own.
 */

/** `hashes.json`: names every other file, and is what the service signs. */
export interface HashList {
  algorithm: 'SHA-256'
  number: string
  version: number
  made_at: string
  /** Where a document can be asked for at the service. */
  check_url: string
  files: Record<string, { sha256: string, size: number }>
  /**
   * `check.html` cannot be among the files, because it holds this list: the hash is that of the page without its
   * copies.
   */
  page: { file: string, sha256: string }
  /** Where the log ended. */
  log: { seq: number, hash: string | null }
  /** Holds the signature over this list: base64, ECDSA as DER, the way OpenSSL has it. */
  signature: { file: string }
  /** Whose key signed. `sha256` is of the DER; `public_key` the SubjectPublicKeyInfo, base64. */
  certificate: { file: string, sha256: string, subject: string, not_after: string, public_key: string }
}

/** `access-log.json`, oldest row first. */
export interface LogExtract {
  budget_id: string
  number: string
  version: number
  /** Whether the service found every row as it was written, when it made this file. */
  whole: boolean
  /** Stands for the rows before the first one, which were removed after their term. */
  checkpoint: { seq: number, hash: string, rows: number, from_at: string, to_at: string, made_at: string } | null
  rows: LogExtractRow[]
}

export interface LogExtractRow {
  seq: number
  /** To the microsecond, as it entered the hash. */
  at: string
  action: string
  success: boolean
  actor: 'patient' | 'staff' | 'system'
  /** Codes and counts. Free text is given as its salted digest. */
  detail: Record<string, unknown>
  prev_hash: string | null
  hash: string
}

/** `withdrawal.json`, of an acceptance that was taken back. */
export interface WithdrawalRecord {
  budget_id: string
  number: string
  version: number
  withdrawn_at: string
  requested_by: 'patient' | 'guardian' | 'representative' | null
  /** The member of the staff who recorded it. */
  withdrawn_by: string | null
  /** Null in the file that is held for an erased patient. */
  reason: string | null
}

/** `messages.json`: what patient and clinic wrote to each other about all versions of the number, oldest first. */
export interface MessagesFile {
  number: string
  /** Whether the service found each message as it was written, when it made this file. */
  whole: boolean
  messages: { id: string, from: 'patient' | 'clinic', /** Null as above. */ text: string | null, at: string }[]
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
  /** The name of the picture's file. */
  image: string | null
  consent_version: string | null
  /** The sentence that was agreed to; absent or null in files of earlier releases. */
  consent_text?: string | null
  content_digest: string
  document_sha256: string
  ip: string | null
  user_agent: string | null
  witness: string | null
  decided_at: string
  time_zone: string
  locale: string
  /** Whose budget it was, and who wrote this version; null where the record is older than these. */
  patient_id: string | null
  author: string | null
  /** Who set the code, and so knew it and the link; null in the clinic, and where the log does not say so. */
  known_to?: string | null
}
