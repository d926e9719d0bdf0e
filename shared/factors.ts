import { digits } from '@svc/kit/schemas'
import * as z from 'zod'
import { Instant, line } from './common.ts'

/** `browser`: where it was added. `to_review`: the password changed since, and the holder has not confirmed it. */
export const Factor = z.object({
  id: z.uuid(),
  kind: z.enum(['totp', 'passkey']),
  name: z.string(),
  browser: z.string().nullable(),
  created_at: Instant,
  last_used_at: Instant.nullable(),
  to_review: z.boolean()
})
/** `secret` is Base32, to type in; `otpauth_url` is what a QR code shows. */
export const NewTotp = z.object({ secret: z.string(), otpauth_url: z.string() })
export const TotpConfirmation = z.strictObject({ code: digits(/^\d{6}$/, 'Must be six digits.') })
/** What the browser's WebAuthn API takes and returns, as JSON (W3C WebAuthn Level 3, section 5.1). */
export const PasskeyOptions = z.looseObject({ challenge: z.string() })
const credential = { id: z.string().min(1).max(2000), rawId: z.string().max(2000), type: z.literal('public-key') }
const clientDataJSON = z.string().max(10_000)
export const NewPasskey = z.strictObject({
  name: line(100).optional(),
  response: z.looseObject({
    ...credential,
    response: z.looseObject({ clientDataJSON, attestationObject: z.string().max(30_000) })
  })
})
const Assertion = z.looseObject({
  ...credential,
  response: z.looseObject({
    clientDataJSON,
    authenticatorData: z.string().max(10_000),
    signature: z.string().max(10_000)
  })
})
/** Without a ticket the passkey replaces the password. */
export const PasskeyOptionsRequest = z.strictObject({ ticket: z.string().min(20).max(100).optional() })
export const PasskeyRequest = PasskeyOptionsRequest.extend({ response: Assertion })
/** Recovery codes, shown once, come with the first factor; else null. */
export const AddedPasskey = Factor.extend({ recovery_codes: z.array(z.string()).nullable() })
/** Only this response contains them. */
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

const password = z.string().min(1).max(200)
/**
 * What the user must still confirm: `needs` and `factors` (the kinds that the account has) are members of the problem
 * `confirmation_required`.
 */
export const ConfirmationNeeds = z.object({
  needs: z.array(z.enum(['password', 'provider', 'factor', 'link'])),
  factors: z.array(z.enum(['totp', 'passkey']))
})
/** `code`: of the authenticator app, or a recovery code. `passkey`: the browser's response to the options. */
export const ConfirmationRequest = z
  .strictObject({
    password: password.optional(),
    code: z.string().trim().min(6).max(40).optional(),
    passkey: Assertion.optional()
  })
  .refine(given => Object.values(given).some(value => value !== undefined), 'Give the password, a code or a passkey.')
  .refine(({ code, passkey }) => code === undefined || passkey === undefined, 'Give a code or a passkey, not both.')
export const Confirmation = z.object({ confirmed_until: Instant })
/** The password, unless the session has confirmed it within five minutes. */
export const PasswordConfirmation = z.strictObject({ password: password.optional() })

/** A link that lets an overdue person add a first second factor. `url` is for handing it over. */
export const EnrolmentLink = z.object({ url: z.url() })
export const EnrolmentMail = z.object({ delivered_via: z.enum(['smtp', 'file']) })
export const LinkToken = z.strictObject({ token: z.string().min(20).max(100) })
/** With the token of the link in the email about a new factor. Without `remove` nothing changes. */
export const FactorRemoval = LinkToken.extend({ remove: z.literal(true).optional() })
export const RemovableFactor = Factor.pick({ kind: true, name: true, browser: true, created_at: true })

export type Factor = z.infer<typeof Factor>
export type NewTotp = z.infer<typeof NewTotp>
export type ConfirmationNeeds = z.infer<typeof ConfirmationNeeds>
export type RemovableFactor = z.infer<typeof RemovableFactor>
