import { AddedPasskey, PasskeyOptions } from '../../../shared/factors.ts'

const ENROL = '/api/v1/auth/passkeys'
const SIGN_IN = '/api/v1/auth/passkey'

/** Passkeys: the server's options go to the browser, whose answer goes back. Its library loads with the first one. */
export function usePasskeys() {
  const api = useApi()
  const { enter } = useSession()

  return {
    /** A page that is reached by an IP address can have none. */
    canUse: () => 'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(window.location.hostname),
    async add(): Promise<string[] | null> {
      const { data: optionsJSON } = await api.post(`${ENROL}/options`, { answer: PasskeyOptions })
      const { startRegistration } = await import('@simplewebauthn/browser')
      const response = await startRegistration({ optionsJSON: optionsJSON as never }).catch(cancelled)
      return (await api.post(ENROL, { body: { response }, answer: AddedPasskey })).data.recovery_codes
    },
    /** What the browser answers to the options of a confirmation. */
    async show(optionsJSON: unknown): Promise<unknown> {
      const { startAuthentication } = await import('@simplewebauthn/browser')
      return await startAuthentication({ optionsJSON: optionsJSON as never }).catch(cancelled)
    },
    /** With a ticket as the second factor, else instead of the password. */
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

/** The browser does not say why: the person closed its window, or has no passkey for this page. */
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
