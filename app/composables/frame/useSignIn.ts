import { FactorDue } from '../../../shared/auth.ts'

/** Signs in and out, and switches the session's clinic. */
export function useSignIn() {
  const { load, moved } = useSession()
  const { asking, resumeCalls, renew } = usePasswordPrompt()

  /** Returns the second factor that is still required, or null if the person is signed in. */
  async function signIn(email: string, password: string): Promise<FactorDue | null> {
    const { data } = await send('POST', '/api/v1/auth/login', { body: { email, password } })
    const due = FactorDue.safeParse(data)
    if (due.success) return due.data
    await enter()
    return null
  }

  async function finishSignIn(ticket: string, code: string) {
    await send('POST', '/api/v1/auth/factor', { body: { ticket, code } })
    await enter()
  }

  /** Call after the server has signed the person in. */
  async function enter() {
    await load()
    if (!moved.value) resumeCalls() // even if load() failed: the waiting requests then report their own errors
    notifyOtherWindows()
  }

  async function signOut() {
    await send('POST', '/api/v1/auth/logout').catch((error) => {
      if (toApiError(error).status !== 401) throw error
    })
    notifyOtherWindows()
    // A new page shows nothing of the person who signed out.
    window.location.assign('/login')
  }

  async function switchClinic(clinic_id: string) {
    await send('POST', '/api/v1/auth/switch-clinic', { body: { clinic_id } })
    notifyOtherWindows()
    window.location.assign('/login') // which redirects to the new clinic's first page
  }

  return { asking, signIn, finishSignIn, enter, signOut, switchClinic, renew }
}

/** Asks for the password over the page, while requests wait for it. */
export function usePasswordPrompt() {
  const asking = useState<boolean>('session-asking', () => false)
  const signIns = useState<number>('session-sign-ins', () => 0)

  /** Lets the waiting requests continue. */
  function resumeCalls() {
    if (!asking.value) return
    signIns.value++
    asking.value = false
  }

  /** Asks for the password over the page. Returns true if the same person is back in the same clinic. */
  async function renew(): Promise<boolean> {
    const before = signIns.value
    asking.value = true
    await until(() => !asking.value)
    return signIns.value > before
  }

  return { asking, resumeCalls, renew }
}
