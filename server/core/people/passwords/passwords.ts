import type { Ctx } from '@svc/kit'

type Secrets = Pick<Ctx['secrets'], 'hash' | 'verify'>

// The same letters from another keyboard can be different code points (NIST SP 800-63B 3.1.1.2).
const normal = (password: string) => password.normalize('NFKC')

/** scrypt under the instance's pepper, self-describing text. */
export const hashPassword = (secrets: Secrets, password: string): Promise<string> => secrets.hash(normal(password))

let dummy: string | undefined

/** Takes as long without a hash, so that the time does not show whether the account exists. */
export async function verifyPassword(secrets: Secrets, password: string, hash: string | null): Promise<boolean> {
  dummy ??= await secrets.hash('the password of no account')
  const right = await secrets.verify(normal(password), hash ?? dummy)
  return right && hash !== null
}
