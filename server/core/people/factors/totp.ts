import { Secret, TOTP } from 'otpauth'
import type { Ctx } from '@svc/kit'

type Secrets = Pick<Ctx['secrets'], 'seal' | 'open'>

/** The algorithm that every authenticator app supports: RFC 6238 with SHA-1, six digits, half a minute. */
const SHAPE = { algorithm: 'SHA1', digits: 6, period: 30 }
/** Steps accepted before and after the current one, for inaccurate clocks and people who type slowly. */
const WINDOW = 1
/** RFC 4226, section 4: 160 bits are recommended. */
const SECRET_BYTES = 20
const PURPOSE = 'core.totp'

export interface NewTotp { /** Base32, for typing. */ secret: string, otpauth_url: string, sealed: string }

export function newTotp(secrets: Secrets, { issuer, label }: { issuer: string, label: string }): NewTotp {
  const secret = new Secret({ size: SECRET_BYTES })
  return {
    secret: secret.base32,
    otpauth_url: new TOTP({ ...SHAPE, issuer, label, secret }).toString(),
    sealed: secrets.seal(PURPOSE, secret.base32)
  }
}

/** The time step of a code; null for a wrong one. Each step may be used only once. */
export function stepOf(secrets: Secrets, { sealed, code, now }: { sealed: string, code: string, now: Date }) {
  const secret = Secret.fromBase32(secrets.open(PURPOSE, sealed).toString())
  const timestamp = now.getTime()
  const delta = TOTP.validate({ ...SHAPE, secret, token: code, timestamp, window: WINDOW })
  return delta === null ? null : TOTP.counter({ period: SHAPE.period, timestamp }) + delta
}
