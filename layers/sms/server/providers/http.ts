import { fillTemplate, isComplete, readPath, type GatewayTemplate } from '../../shared/domain/template.ts'
import type { SmsSettings } from '../../shared/settings.ts'
import { gatewayAddress } from '../services/report-address.ts'
import { toSendError } from './outgoing-error.ts'
import { NotTaken, Refused, Unknown, type Provider } from './provider.ts'

const TIMEOUT_MS = 8000
const MAX_BYTES = 100_000
/** The request is understood and this message is wrong. Other errors may be corrected in the settings. */
const REFUSALS = [400, 422]

const templateOf = ({ http_url, http_method, http_headers, http_body }: SmsSettings): GatewayTemplate =>
  ({ url: http_url ?? '', method: http_method, headers: http_headers, body: http_body })

/** Any gateway that takes a message in one request, as the clinic's template writes it. */
export const http: Provider = {
  via: 'http',

  missing(settings, channel) {
    if (channel === 'whatsapp') return 'no_whatsapp'
    return settings.http_url === null || !isComplete(templateOf(settings)) ? 'http_incomplete' : null
  },

  /** Gateways have no common question about a message. */
  canFind: () => false,

  async send(ctx, settings, { id, clinic_id, to, text }) {
    const { url, ...request } = fillTemplate(templateOf(settings), {
      to,
      digits: to.replace('+', ''),
      text,
      id,
      key: settings.http_key ?? '',
      report: gatewayAddress(ctx, clinic_id, settings.http_key)
    })
    const call = { ...request, timeout_ms: TIMEOUT_MS, max_bytes: MAX_BYTES }
    const { status, bytes } = await ctx.http.fetch(url, call).catch((error: unknown) => { throw toSendError(error) })
    if (REFUSALS.includes(status)) throw new Refused('refused')
    if (status >= 500) throw new Unknown(String(status))
    if (status < 200 || status >= 300) throw new NotTaken(String(status))
    return { ref: settings.http_ref === null ? null : readPath(new TextDecoder().decode(bytes), settings.http_ref) }
  },

  /** Gateways have no common question that sends nothing. */
  test: async () => ({ ok: true, code: 'untested', detail: null })
}
