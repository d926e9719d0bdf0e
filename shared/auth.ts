import { LANGUAGES } from '@svc/kit/schemas'
import * as z from 'zod'
import { Email, Instant, line, paging } from './common.ts'

const ROLES = ['admin', 'dentist', 'hygienist', 'assistant', 'receptionist'] as const
export const Role = z.enum(ROLES)

/** A new password. Only the server checks whether it is too common or the user's email address. */
export const Password = z.string().min(12, 'Use 12 characters or more.').max(200, 'Use 200 characters at most.')

export const SignInRequest = z.strictObject({ email: z.string().min(1).max(254), password: z.string().min(1).max(200) })
export const SignedIn = z.object({ access_token: z.string(), token_type: z.literal('bearer'), expires_at: Instant })

/** The password was right, and a second factor is required. The ticket alone grants no access. */
export const FactorDue = z.object({ factor: z.enum(['totp', 'passkey']), ticket: z.string() })
export const SignInAnswer = z.union([SignedIn, FactorDue])
/** A code of the authenticator app, or a recovery code. */
export const FactorRequest = z.strictObject({
  ticket: z.string().min(20).max(100),
  code: z.string().trim().min(6).max(40)
})

/** What the sign-in page offers. */
export const SignInWays = z.object({
  password: z.boolean(),
  /** Sign-in without a password; not available if the service's address is an IP address. */
  passkey: z.boolean(),
  provider: z.object({ label: z.string() }).nullable()
})
/** `to`: the page of this instance to open afterwards. `confirm`: the provider asks for credentials in any case. */
export const ProviderQuery = z.strictObject({
  to: z.string().max(2000).optional(),
  confirm: z.literal('true').optional()
})
/** Parameters that the provider adds; it may add its own (RFC 6749, section 4.1.2). */
export const ProviderCallback = z.looseObject({})

/** `browser`: such as "Firefox · Windows"; null for a program or an unknown browser. */
export const OwnSession = z.object({
  id: z.string(),
  browser: z.string().nullable(),
  clinic_name: z.string().nullable(),
  since: Instant,
  last_used_at: Instant,
  current: z.boolean()
})

export const Me = z.object({
  user: z.object({
    id: z.uuid(),
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    instance_admin: z.boolean()
  }),
  /** Null for an instance administrator who belongs to no clinic. */
  clinic: z
    .object({ id: z.uuid(), name: z.string(), currency: z.string(), time_zone: z.string(), locale: z.string() })
    .nullable(),
  role: Role.nullable(),
  permissions: z.array(z.string()),
  clinics: z.array(z.object({ id: z.uuid(), name: z.string(), role: Role }))
})

/**
 * The settings of the screens. Without a clinic there is no colour and no country, prices are without tax, and modules
 * have their defaults.
 */
export const Screen = z.object({
  /** Whose screens these are, and in which clinic: those of the session when it was asked. */
  user_id: z.uuid(),
  clinic_id: z.uuid().nullable(),
  /** The account's choice. Null for the browser's language, or else the clinic's. */
  language: z.string().nullable(),
  accent_color: z.string().nullable(),
  /** Whether prices are typed and shown with tax. */
  prices_include_tax: z.boolean(),
  country: z.string().nullable(),
  /** Whether the clinic's home page still shows the first steps. */
  first_steps: z.boolean(),
  /** By running module, the settings that it needs on the screens of every member. */
  settings: z.record(z.string(), z.record(z.string(), z.unknown())),
  /** Until when the person can work without the second factor that the clinic requires; null if none is missing. */
  second_factor_due: Instant.nullable(),
  second_factor_overdue: z.boolean(),
  /** The password was changed, and the person has not yet confirmed all of their second factors. */
  factor_review: z.boolean()
})

/** `locale` is the language of the screens. Null for the browser's language, or else the clinic's. */
export const MyChange = z.strictObject({ locale: z.enum(LANGUAGES).nullable() })

export const SwitchClinicRequest = z.strictObject({ clinic_id: z.uuid() })
export const ChangePasswordRequest = z.strictObject({ current: z.string().min(1).max(200), new: Password })
/** The token of an emailed link, and the new password. */
export const SetPasswordRequest = z.strictObject({
  token: z.string().min(20).max(100),
  password: Password,
  /** Removes all second factors and recovery codes of the account: someone else may have added one. */
  remove_factors: z.boolean().optional()
})
/** First request: the email address; a known address gets an email. Second request: the token from that email. */
export const PasswordResetRequest = z.union([z.strictObject({ email: Email }), SetPasswordRequest])

export const User = z.object({
  id: z.uuid(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  role: Role,
  /** Also true for invited users, until they are deactivated. */
  active: z.boolean(),
  /** True until the person has agreed and signed in. */
  invited: z.boolean(),
  created_at: Instant
})
/** A clinic that invites a person to join. */
export const PendingMembership = z.object({ clinic_id: z.uuid(), clinic_name: z.string(), role: Role })
export const MembershipAnswer = z.strictObject({ accept: z.boolean() })
/** With an emailed token. Without `accept` nothing changes. */
export const MembershipRequest = z.strictObject({ token: z.string().min(20).max(100), accept: z.boolean().optional() })
/** How an invitation was sent: by SMTP, as a file if there is no mail server, or not at all (null). */
export const Invitation = z.object({
  delivered_via: z.enum(['smtp', 'file']).nullable(),
  /** The link to pass on if no mail was sent. It doesn't open an existing account. */
  url: z.url().nullable()
})
/** `invitation` is null when the clinic chose a password. */
export const AddedUser = User.extend({ invitation: Invitation.nullable() })
export const UserQuery = z.strictObject({
  ...paging,
  search: z.string().trim().max(100).optional(),
  active: z.enum(['true', 'false']).optional()
})
export const NewUser = z.strictObject({
  email: Email,
  first_name: line(100),
  last_name: line(100),
  role: Role,
  password: Password.optional()
})
export const UserChange = z.strictObject({ role: Role.optional(), active: z.boolean().optional() })

export type FactorDue = z.infer<typeof FactorDue>
export type SignInWays = z.infer<typeof SignInWays>
export type OwnSession = z.infer<typeof OwnSession>
export type Me = z.infer<typeof Me>
export type Screen = z.infer<typeof Screen>
export type User = z.infer<typeof User>
export type PendingMembership = z.infer<typeof PendingMembership>
export type AddedUser = z.infer<typeof AddedUser>
export type Invitation = z.infer<typeof Invitation>
export type Role = z.infer<typeof Role>
