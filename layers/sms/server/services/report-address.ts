import { isId, type Ctx } from '@svc/kit'
import { settingsOf } from '../settings.ts'

const PURPOSE = 'sms.report-address'

/** Where a clinic's gateway reports deliveries. The address is the proof, and a new key of the gateway changes it. */
export const gatewayAddress = (ctx: Ctx, clinic_id: string, key: string | null): string =>
  `${ctx.base_url}/api/v1/public/sms/gateway/${tokenOf(ctx, clinic_id, key)}`

export const answersAddress = ({ base_url }: Pick<Ctx, 'base_url'>, clinic_id: string): string =>
  `${base_url}/api/v1/public/sms/twilio/${clinic_id}/answers`

export const statusAddress = (
  { base_url }: Pick<Ctx, 'base_url'>,
  { clinic_id, id }: { clinic_id: string, id: string }
): string => `${base_url}/api/v1/public/sms/twilio/${clinic_id}/messages/${id}`

const signed = (clinic_id: string, key: string | null) => `${clinic_id}/${key ?? ''}`

const tokenOf = ({ secrets }: Ctx, clinic_id: string, key: string | null) =>
  `${clinic_id}.${secrets.mac(PURPOSE, signed(clinic_id, key)).toString('base64url')}`

/** The clinic whose address has this token; null for any other text. */
export async function clinicOfToken(ctx: Ctx, token: string): Promise<string | null> {
  const [clinic_id = '', mac = ''] = token.split('.')
  if (!isId(clinic_id) || !/^[\w-]{43}$/.test(mac)) return null
  const { http_key } = await settingsOf(ctx, clinic_id)
  return ctx.secrets.verifyMac(PURPOSE, signed(clinic_id, http_key), Buffer.from(mac, 'base64url')) ? clinic_id : null
}
