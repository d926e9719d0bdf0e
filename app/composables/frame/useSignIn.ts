import { FactorDue } from '../../../shared/auth.ts'

/** Signs in and out, and changes the clinic that the session works in. */
export function useSignIn() {
  const { load, moved } = useSession()
  const { asking, resumeCalls, renew } = usePasswordPrompt()

  /** What is due besides the password, or null: the person is in. */
  async function logIn(email: string, password: string): Promise<FactorDue | null> {
    const { data } = await send('POST', '/api/v1/auth/login', { body: { email, password } })
    const due = FactorDue.safeParse(data)
    if (due.success) return due.data
    await enter()
    return null
  }

  async function finishLogIn(ticket: string, code: string) {
    await send('POST', '/api/v1/auth/factor', { body: { ticket, code } })
    await enter()
  }

  /** The server has let the person in. */
  async function enter() {
    await load()
    if (!moved.value) resumeCalls() // even if load() got no answer: the calls that wait will find out themselves
    notifyOtherWindows()
  }

  async function logOut() {
    await send('POST', '/api/v1/auth/logout').catch((error) => {
      if (toApiError(error).status !== 401) throw error
    })
    notifyOtherWindows()
    // Everything that was shown belongs to the one who left.
    window.location.assign('/login')
  }

  async function switchClinic(clinic_id: string) {
    await send('POST', '/api/v1/auth/switch-clinic', { body: { clinic_id } })
    notifyOtherWindows()
    window.location.assign('/login') // which leads to the first place of the new clinic
  }

  return { asking, logIn, finishLogIn, enter, logOut, switchClinic, renew }
}

/** The question for the password over the page, and the calls that wait for it. */
export function usePasswordPrompt() {
  const asking = useState<boolean>('session-asking', () => false)
  const logIns = useState<number>('session-log-ins', () => 0)

  /** The calls that wait for the password continue. */
  function resumeCalls() {
    if (!asking.value) return
    logIns.value++
    asking.value = false
  }

  /** Asks for the password over the page. True: the same person is back in the same clinic. */
  async function renew(): Promise<boolean> {
    const before = logIns.value
    asking.value = true
    await until(() => !asking.value)
    return logIns.value > before
  }

  return { asking, resumeCalls, renew }
}
