import { Confirmation, EnrolmentMail, PasskeyOptions } from '../../../shared/factors.ts'

const CONFIRM = '/api/v1/auth/confirm'

interface Shown { password?: string | undefined, code?: string | undefined, passkey?: unknown }

/** Confirms that the person is the account's holder. It uses `send`, because `useApi` would ask for a confirmation. */
export function useConfirmationApi() {
  return {
    confirm: async (body: Shown) => void (await send('POST', CONFIRM, { body, answer: Confirmation })),
    options: async () => (await send('POST', `${CONFIRM}/options`, { answer: PasskeyOptions })).data,
    mailLink: async () => (await send('POST', '/api/v1/auth/enrolment', { answer: EnrolmentMail })).data.delivered_via
  }
}
