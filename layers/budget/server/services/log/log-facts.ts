import type { LogFacts } from '../../db/schema.ts'
import { readable, type ChainedRow, type Detail } from './log-chain.ts'

type FactRow = Pick<ChainedRow, 'action' | 'success' | 'detail'> & { user_id?: string | null }

/** The facts that a log proves, from its remaining rows, and from removed ones through its checkpoint. */
export function logFacts(checkpoint: { facts: LogFacts } | null, rows: readonly FactRow[]): LogFacts {
  return rows.reduce<LogFacts>(
    (facts, row) => ({ ...facts, ...factsOf(row, facts) }),
    checkpoint ? taken(checkpoint.facts) : {}
  )
}

/** Checkpoints of earlier releases do not list the opened sessions: a correct code may have been among the rows. */
const taken = (facts: LogFacts): LogFacts => facts.opened || facts.decision ? facts : { ...facts, opened: [UNNAMED] }

function factsOf({ action, success, detail, user_id }: FactRow, sofar: LogFacts): LogFacts {
  if (!success) return {} // a refused action has not happened
  const read = readable(detail)
  switch (action) {
    case 'link_sent':
      return {
        ...textsOf({ sent: read.sent, superseded_by: read.superseded_by_id }),
        ...(read.cancelled === true ? { cancelled: true } : {})
      }
    case 'code_set':
      return sofar.decision === undefined && user_id
        ? { code_by: { user_id, ...textsOf({ token_id: read.token_id }) } }
        : {}
    case 'verify':
      return openedWith(read, sofar)
    case 'accepted':
    case 'rejected':
      return decidedWith(action, read, sofar)
    case 'signed_pdf_ready':
      return sofar.signed_pdf_sha256 ? {} : textsOf({ signed_pdf_sha256: read.sha256 }) // the patient has the first one
    case 'revised':
      return typeof read.revision_id === 'string' ? { revisions: [...(sofar.revisions ?? []), read.revision_id] } : {}
    case 'superseded':
      return textsOf({ superseded_by: read.superseded_by_id })
    case 'cancelled':
      return { cancelled: true }
    case 'withdrawn':
      return textsOf({ withdrawn: read.withdrawal })
    default:
      return {}
  }
}

/** Rows of earlier releases name no session, but still prove a correct code. */
function openedWith({ session, channel }: Detail, { decision, opened = [], by_channel = [] }: LogFacts): LogFacts {
  if (decision !== undefined) return {}
  const mark = typeof session === 'string' ? session : UNNAMED
  return { opened: [...opened, mark], ...typeof channel === 'string' ? { by_channel: [...by_channel, mark] } : {} }
}

/** Represents a session of an earlier release in the list of opened sessions. */
const UNNAMED = '-'

/** After the decision, only the session that decided matters. */
function decidedWith(
  decision: string,
  { signature_id, record, content_digest, session }: Detail,
  { opened, by_channel }: LogFacts
): LogFacts {
  const by = typeof session === 'string' ? session : UNNAMED
  return {
    ...textsOf({ decision, signature_id, record, content_digest }),
    opened: opened?.includes(by) ? [by] : [],
    ...by_channel ? { by_channel: by_channel.filter(mark => mark === by) } : {}
  }
}

/** An erased digest proves nothing. */
const textsOf = (facts: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(facts).filter((fact): fact is [string, string] => typeof fact[1] === 'string')
  )
