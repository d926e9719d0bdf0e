import type { PointGroup } from 'signature_pad'
import type { AcceptRequest, PatientView, RejectRequest } from '../../shared/contract.ts'
import type { ApiProblem } from './call.ts'
import { sameName } from './display.ts'

/** What the reader has typed. It is kept through failures, an ended session and a change of language. */
export interface Draft {
  signer_name: string
  relationship: NonNullable<AcceptRequest['relationship']>
  method: AcceptRequest['signature']['method']
  typed: string
  /** PNG as a data URL; null until something is drawn. */
  image: string | null
  /** The strokes, to draw the signature again. */
  strokes: PointGroup[]
  consent: boolean
  reason: string
  reason_code: NonNullable<RejectRequest['reason_code']> | null
}

/** The fields that can have an error. */
export type DraftField = 'signer_name' | 'typed' | 'image' | 'consent' | 'reason'
/** Errors by field, each with what to do. */
export type DraftErrors = Partial<Record<DraftField, string>>

export const emptyDraft = (): Draft => ({
  signer_name: '',
  relationship: 'patient',
  method: 'click',
  typed: '',
  image: null,
  strokes: [],
  consent: false,
  reason: '',
  reason_code: null
})

export const fullName = ({ first_name, last_name }: PatientView['patient']) => `${first_name} ${last_name}`.trim()

/** The fields that still prevent accepting, in the order of the form. A typed signature must match the name. */
export function missingToAccept(draft: Draft): DraftField[] {
  const missing: DraftField[] = []
  if (!draft.signer_name.trim()) missing.push('signer_name')
  if (draft.method === 'typed' && (!draft.typed.trim() || !sameName(draft.typed, draft.signer_name)))
    missing.push('typed')
  if (draft.method === 'drawn' && !draft.image) missing.push('image')
  if (!draft.consent) missing.push('consent')
  return missing
}

/** A category, a text or both are needed to decline. */
export const missingToReject = (draft: Draft): DraftField[] =>
  draft.reason.trim() || draft.reason_code ? [] : ['reason']

export const acceptRequest = (
  draft: Draft,
  { content_digest, selection }: Pick<PatientView, 'content_digest' | 'selection'>
): AcceptRequest => ({
  signer_name: draft.signer_name.trim(),
  relationship: draft.relationship,
  signature: draft.method === 'drawn' ? { method: 'drawn', image: draft.image! } : { method: draft.method },
  consent: true,
  content_digest,
  ...(selection ? { selection } : {})
})

export const rejectRequest = (draft: Draft): RejectRequest => ({
  ...(draft.reason.trim() ? { reason: draft.reason.trim() } : {}),
  ...(draft.reason_code ? { reason_code: draft.reason_code } : {})
})

const POINTERS: Record<string, DraftField> = {
  '/signer_name': 'signer_name',
  '/signature': 'image',
  '/signature/image': 'image',
  '/consent': 'consent',
  '/reason': 'reason'
}

/** The draft's fields that a problem of status 422 names. */
export const fieldsOf = (problem: ApiProblem): DraftField[] =>
  problem.errors?.flatMap(({ pointer }) => POINTERS[pointer] ?? []) ?? []
