import * as z from 'zod'
import { CreatedToken, Token, type NewToken } from '../../../shared/tokens.ts'

const TOKENS = '/api/v1/tokens'

/** The API tokens of the clinic. */
export function useTokensApi() {
  const api = useApi()
  return {
    list: (signal?: AbortSignal) => api.get(TOKENS, { signal, answer: z.array(Token) }),
    /** Only this response contains the token. */
    add: (body: NewToken) => api.post(TOKENS, { body, answer: CreatedToken }),
    revoke: (id: string) => api.remove(`${TOKENS}/${id}`)
  }
}
