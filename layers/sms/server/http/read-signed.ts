import { isId, problem, type Ctx, type ModuleRequest } from '@svc/kit'
import { settingsOf } from '../settings.ts'

interface SignedRequest { clinic_id: string, bytes: Uint8Array, request: ModuleRequest }

/**
 * The fields of a form that Twilio has signed for this address, with the clinic's key. Only the address of the instance
 * is checked, whatever a proxy has made of it. Throws `signature_wrong`.
 */
export async function readSigned(
  ctx: Ctx,
  { clinic_id, bytes, request }: SignedRequest
): Promise<Record<string, string>> {
  const { provider, twilio_token } = isId(clinic_id)
    ? await settingsOf(ctx, clinic_id)
    : { provider: 'none', twilio_token: null }
  const signature = request.headers['x-twilio-signature']
  if (provider !== 'twilio' || twilio_token === null || !signature) throw problem('signature_wrong')
  const fields = Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes)))
  const { validateRequest } = (await import('twilio')).default
  if (!validateRequest(twilio_token, signature, ctx.base_url + request.path, fields)) throw problem('signature_wrong')
  return fields
}
