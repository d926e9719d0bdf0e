import { coreMailedToken } from '../../db/schema.ts'

/** The columns that the seal of a mailed link covers. */
export const linkFacts = {
  token_hash: coreMailedToken.token_hash, purpose: coreMailedToken.purpose, user_id: coreMailedToken.user_id,
  clinic_id: coreMailedToken.clinic_id, factor_id: coreMailedToken.factor_id,
  expires_at: coreMailedToken.expires_at, seal: coreMailedToken.seal
}
