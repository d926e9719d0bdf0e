import * as z from 'zod'
import { CreatedToken, Token, type NewToken } from '../../../shared/tokens.ts'

const TOKENS = '/api/v1/tokens'

/** Tokens of the clinic's programs. */
export function useTokensApi() {
  const api = useApi()
  return {
    list: (signal?: AbortSignal) => api.get(TOKENS, { signal, answer: z.array(Token) }),
    /** The token is in this answer only. */
    add: (body: NewToken) => api.post(TOKENS, { body, answer: CreatedToken }),
    revoke: (id: string) => api.remove(`${TOKENS}/${id}`)
  }
}
