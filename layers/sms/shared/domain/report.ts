/** What a gateway says at its report address, whatever it calls the members. */
export type GatewayReport
  = | { kind: 'delivery', id: string, state: 'delivered' | 'failed', reason: string | null }
    | { kind: 'answer', from: string, text: string }

const IDS = ['id', 'message_id', 'messageid', 'msgid', 'msg_id', 'smsid', 'reference', 'ref', 'client_ref', 'clientref']
const STATES = ['state', 'status', 'dlr', 'delivery_status', 'dlvrmsgstat', 'message_status', 'messagestatus']
const REASONS = ['reason', 'error', 'err_code', 'error_code', 'errorcode', 'description']
const SENDERS = ['from', 'msisdn', 'sender', 'source', 'originator', 'source_addr']
const TEXTS = ['text', 'message', 'body', 'content']

const DELIVERED = new Set(['delivered', 'delivrd', 'delivery_success', 'success', 'read'])
const FAILED = new Set([
  'failed', 'failure', 'undelivered', 'undeliverable', 'undeliv', 'delivery_failure', 'expired', 'expird', 'rejected',
  'rejectd', 'deleted', 'blocked', 'error'
])

/** Null for a report of something between, such as “sent”, and for anything else. */
export function readReport(fields: Record<string, unknown>): GatewayReport | null {
  const known = new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase().replaceAll('-', '_'), value]))
  const find = (names: string[]) => {
    const value = names.map(name => known.get(name)).find(one => typeof one === 'string' || typeof one === 'number')
    return value === undefined ? null : String(value).trim()
  }
  const [id, state] = [find(IDS), find(STATES)?.toLowerCase()]
  if (id && state !== undefined && (DELIVERED.has(state) || FAILED.has(state)))
    return { kind: 'delivery', id, state: DELIVERED.has(state) ? 'delivered' : 'failed', reason: find(REASONS) }
  const [from, text] = [find(SENDERS), find(TEXTS)]
  return from && text && state === undefined ? { kind: 'answer', from, text } : null
}
