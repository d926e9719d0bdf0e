import * as z from 'zod'
import { Me, Screen } from '../../../shared/auth.ts'
import { ActiveModule } from '../../../shared/modules.ts'

type Person = z.infer<typeof Me>

/** `unknown` until the server has answered. */
type Standing = 'unknown' | 'in' | 'out' | 'unreachable'

/** The signed-in person, their permissions, and the running modules. Shared by the whole application. */
export function useSession() {
  const standing = useState<Standing>('session', () => 'unknown')
  const me = useState<Person | null>('session-me', () => null)
  const modules = useState<ActiveModule[] | null>('session-modules', () => null)
  /** The session after another window changed it: another person, or the same person in another clinic. */
  const moved = useState<Person | null>('session-moved', () => null)
  /** Until when the person can work without the second factor that the clinic requires. Null if none is missing. */
  const factorDue = useState<string | null>('session-factor-due', () => null)
  const factorOverdue = useState<boolean>('session-factor-overdue', () => false)
  /** The password was changed, and the person has not yet confirmed all of their second factors. */
  const factorReview = useState<boolean>('session-factor-review', () => false)
  const { asking, resumeCalls } = usePasswordPrompt()
  const { setPreferences } = usePreferences()

  async function load(): Promise<Standing> {
    try {
      const { data, screen } = await askWho()
      // The page shows data of the earlier person and clinic, which must not be mixed with another's.
      moved.value = me.value && !isSame(data, me.value) ? data : null
      if (moved.value) return standing.value
      me.value = data
      setPreferences(screen)
      factorDue.value = screen.second_factor_due
      factorOverdue.value = screen.second_factor_overdue
      factorReview.value = screen.factor_review
      standing.value = 'in'
      resumeCalls() // the same person is here again, perhaps by a sign-in in another window
      await loadModules()
    } catch (error) {
      const ended = toApiError(error).status === 401
      // The page stays open: it asks for the password, or the next request reports that the service is unreachable.
      if (me.value) asking.value ||= ended
      else standing.value = ended ? 'out' : 'unreachable'
    }
    return standing.value
  }

  /** Whether only the page with the second factors opens. */
  const isHeld = () => factorOverdue.value || factorReview.value
  const loadModules = async () => void (modules.value = isHeld() ? [] : await askModules())

  const can = (permission: string) => me.value?.permissions.includes(permission) ?? false

  return { standing, me, modules, moved, factorDue, factorOverdue, factorReview, isHeld, load, loadModules, can }
}

/** Asks again if another window switched the session between the two answers, twice at most. */
async function askWho(again = 2): Promise<{ data: Person, screen: z.infer<typeof Screen> }> {
  const [{ data }, { data: screen }] = await Promise.all([
    send('GET', '/me', { answer: Me }),
    send('GET', '/api/v1/auth/screen', { answer: Screen })
  ])
  const isOne = screen.user_id === data.user.id && screen.clinic_id === (data.clinic?.id ?? null)
  return isOne || again === 0 ? { data, screen } : await askWho(again - 1)
}

/** Returns null after a failure, which the sidebar reports. */
const askModules = () =>
  send('GET', '/api/v1/modules/-/active', { answer: z.array(ActiveModule) }).then(
    ({ data }) => data,
    () => null
  )

const isSame = (one: Person, other: Person) => one.user.id === other.user.id && one.clinic?.id === other.clinic?.id
