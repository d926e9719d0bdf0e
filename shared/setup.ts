import * as z from 'zod'
import { SignedIn, Password } from './auth.ts'
import { Country } from './clinic.ts'
import { Currency, Email, line, Locale, TimeZone } from './common.ts'

/** The code as people copy it. A text that is longer than its 26 characters and dashes is treated as a wrong code. */
const Code = z.string().min(1).max(100)

export const SetupNeeded = z.object({ needed: z.literal(true) })
export const SetupCode = z.strictObject({ code: Code })

/** What a country suggests; the first time zone is the one that most people live in. */
export const CountryHints = z.object({
  code: z.string(),
  currency: z.string(),
  time_zones: z.array(z.string()),
  language: z.string().nullable()
})
/** What the steps after the code need to know. */
export const SetupHints = z.object({ countries: z.array(CountryHints) })

export const SetupClinic = z.strictObject({
  name: line(200),
  country: Country.nullish(),
  currency: Currency,
  time_zone: TimeZone,
  locale: Locale,
  prices_include_tax: z.boolean().optional()
})
export const SetupAdmin = z.strictObject({ email: Email, name: line(200), password: Password })
export const Catalogue = z.enum(['none', 'starter'])
export const SetupRequest = z.strictObject({
  code: Code,
  clinic: SetupClinic,
  admin: SetupAdmin,
  catalogue: Catalogue.optional()
})
/** The administrator is signed in with it. */
export const SetUp = SignedIn.extend({ clinic_id: z.uuid(), user_id: z.uuid() })

export type CountryHints = z.infer<typeof CountryHints>
export type SetupHints = z.infer<typeof SetupHints>
export type SetupRequest = z.infer<typeof SetupRequest>
