import * as z from 'zod'
import { FactorDue, Me } from '../../../shared/auth.ts'
import type { Clinic } from '../../../shared/clinic.ts'
import { ActiveModule } from '../../../shared/modules.ts'

type Person = z.infer<typeof Me>

/** `unknown` until the server was asked. */
type Standing = 'unknown' | 'in' | 'out' | 'unreachable'

/** Who works here, what they may do, and which modules run. One for the whole application. */
export function useSession() {
  const standing = useState<Standing>('session', () => 'unknown')
  const me = useState<Person | null>('session-me', () => null)
  const modules = useState<ActiveModule[] | null>('session-modules', () => null)
  /** The password is asked over the page; resolves those who wait. */
  const asking = useState<boolean>('session-asking', () => false)
  const logIns = useState<number>('session-log-ins', () => 0)
  /** The session after another window changed it: another person, or the same person in another clinic. */
  const moved = useState<Person | null>('session-moved', () => null)
  /** The clinic's accent colour, `#rrggbb`. */
  const accent = useState<string | null>('session-accent', () => null)
  /** Whether prices are typed and shown with tax in this clinic. */
  const pricesIncludeTax = useState<boolean>('session-prices-include-tax', () => false)
  /** How this clinic numbers teeth. */
  const toothNotation = useState<Clinic['tooth_notation']>('session-tooth-notation', () => 'fdi')
  const country = useState<string | null>('session-country', () => null)
  /** Whether the clinic still has its checklist. */
  const firstSteps = useState<boolean>('session-first-steps', () => false)
  /** Until when the person can work without the second factor that the clinic demands; null: none is missing. */
  const factorDue = useState<string | null>('session-factor-due', () => null)
  const factorOverdue = useState<boolean>('session-factor-overdue', () => false)
  /** The password changed, and the person has not confirmed each of their second factors. */
  const factorReview = useState<boolean>('session-factor-review', () => false)
  const language = useAccountLanguage()

  async function load(): Promise<Standing> {
    try {
      const { data, headers } = await send('GET', '/me', { answer: Me })
      // What the page shows belongs to who opened it; nothing of it may go to another clinic.
      moved.value = me.value && !isSame(data, me.value) ? data : null
      if (moved.value) return standing.value
      me.value = data
      accent.value = headers.get('accent-color')
      language.value = headers.get('account-language')
      pricesIncludeTax.value = headers.get('prices-include-tax') === 'true'
      toothNotation.value = toothNotationIn(headers.get('tooth-notation'))
      country.value = headers.get('clinic-country')
      firstSteps.value = headers.get('first-steps') === 'shown'
      factorDue.value = headers.get('second-factor-due')
      factorOverdue.value = headers.get('second-factor-overdue') === 'true'
      factorReview.value = headers.get('factor-review') === 'true'
      standing.value = 'in'
      goOn()
      await loadModules()
    } catch (error) {
      const ended = toApiError(error).status === 401
      // The page stays: it asks for the password over it, or the next call says that the service can't be reached.
      if (me.value) asking.value ||= ended
      else standing.value = ended ? 'out' : 'unreachable'
    }
    return standing.value
  }

  /** The same person is here again, perhaps by a log-in in another window: who waits for the password goes on. */
  function goOn() {
    if (!asking.value) return
    logIns.value++
    asking.value = false
  }

  /** Only the page about the factors opens. */
  const isHeld = () => factorOverdue.value || factorReview.value
  const loadModules = async () => void (modules.value = isHeld() ? [] : await askModules())

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
    if (!moved.value) goOn() // even if load() got no answer: the calls that wait will find out themselves
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

  /** Asks for the password over the page. True: the same person is back in the same clinic. */
  async function renew(): Promise<boolean> {
    const before = logIns.value
    asking.value = true
    await until(() => !asking.value)
    return logIns.value > before
  }

  const can = (permission: string) => me.value?.permissions.includes(permission) ?? false

  return {
    standing,
    me,
    modules,
    accent,
    pricesIncludeTax,
    toothNotation,
    country,
    firstSteps,
    factorDue,
    factorOverdue,
    factorReview,
    isHeld,
    asking,
    moved,
    load,
    loadModules,
    logIn,
    finishLogIn,
    enter,
    logOut,
    switchClinic,
    renew,
    can
  }
}

/** Null after a failure: the sidebar says so. */
const askModules = () =>
  send('GET', '/api/v1/modules/-/active', { answer: z.array(ActiveModule) }).then(
    ({ data }) => data,
    () => null
  )

const isSame = (one: Person, other: Person) => one.user.id === other.user.id && one.clinic?.id === other.clinic?.id
