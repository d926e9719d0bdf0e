import { AddedPasskey, PasskeyOptions } from '../../../shared/factors.ts'

const ENROL = '/api/v1/auth/passkeys'
const SIGN_IN = '/api/v1/auth/passkey'

/** Passkeys: passes the server's options to the browser and its response back. The library loads on first use. */
export function usePasskeys() {
  const api = useApi()
  const { enter } = useSignIn()

  return {
    /** Browsers allow no passkeys on a page with an IP address as its host. */
    canUse: () => 'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(window.location.hostname),
    async add(): Promise<string[] | null> {
      const { data: optionsJSON } = await api.post(`${ENROL}/options`, { answer: PasskeyOptions })
      const { startRegistration } = await import('@simplewebauthn/browser')
      const response = await startRegistration({ optionsJSON: optionsJSON as never }).catch(cancelled)
      return (await api.post(ENROL, { body: { response }, answer: AddedPasskey })).data.recovery_codes
    },
    /** Returns the browser's response to the options of a confirmation. */
    async show(optionsJSON: unknown): Promise<unknown> {
      const { startAuthentication } = await import('@simplewebauthn/browser')
      return await startAuthentication({ optionsJSON: optionsJSON as never }).catch(cancelled)
    },
    /** With a ticket, the passkey is the second factor. Without one, it replaces the password. */
    async signIn(ticket?: string): Promise<void> {
      const body = ticket ? { ticket } : {}
      const { data: optionsJSON } = await send('POST', `${SIGN_IN}/options`, { body, answer: PasskeyOptions })
      const { startAuthentication } = await import('@simplewebauthn/browser')
      const response = await startAuthentication({ optionsJSON: optionsJSON as never }).catch(cancelled)
      await send('POST', SIGN_IN, { body: { ...body, response } })
      await enter()
    }
  }
}

/** Browsers hide the reason: the person closed the dialog, or has no passkey for this site. */
function cancelled(): never {
  throw new ApiError({
    type: 'about:blank',
    title: '',
    status: 400,
    detail: '',
    code: 'passkey_cancelled',
    request_id: ''
  })
}
