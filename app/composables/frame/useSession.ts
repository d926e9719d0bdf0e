import * as z from 'zod'
import { Me, Screen } from '../../../shared/auth.ts'
import { ActiveModule } from '../../../shared/modules.ts'

type Person = z.infer<typeof Me>

/** `unknown` until the server was asked. */
type Standing = 'unknown' | 'in' | 'out' | 'unreachable'

/** Who works here, what they may do, and which modules run. One for the whole application. */
export function useSession() {
  const standing = useState<Standing>('session', () => 'unknown')
  const me = useState<Person | null>('session-me', () => null)
  const modules = useState<ActiveModule[] | null>('session-modules', () => null)
  /** The session after another window changed it: another person, or the same person in another clinic. */
  const moved = useState<Person | null>('session-moved', () => null)
  /** Until when the person can work without the second factor that the clinic demands; null: none is missing. */
  const factorDue = useState<string | null>('session-factor-due', () => null)
  const factorOverdue = useState<boolean>('session-factor-overdue', () => false)
  /** The password changed, and the person has not confirmed each of their second factors. */
  const factorReview = useState<boolean>('session-factor-review', () => false)
  const { asking, resumeCalls } = usePasswordPrompt()
  const { setPreferences } = usePreferences()

  async function load(): Promise<Standing> {
    try {
      const [{ data }, { data: screen }] = await Promise.all([
        send('GET', '/me', { answer: Me }),
        send('GET', '/api/v1/auth/screen', { answer: Screen })
      ])
      // What the page shows belongs to who opened it; nothing of it may go to another clinic.
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
      // The page stays: it asks for the password over it, or the next call says that the service can't be reached.
      if (me.value) asking.value ||= ended
      else standing.value = ended ? 'out' : 'unreachable'
    }
    return standing.value
  }

  /** Only the page about the factors opens. */
  const isHeld = () => factorOverdue.value || factorReview.value
  const loadModules = async () => void (modules.value = isHeld() ? [] : await askModules())

  const can = (permission: string) => me.value?.permissions.includes(permission) ?? false

  return { standing, me, modules, moved, factorDue, factorOverdue, factorReview, isHeld, load, loadModules, can }
}

/** Null after a failure: the sidebar says so. */
const askModules = () =>
  send('GET', '/api/v1/modules/-/active', { answer: z.array(ActiveModule) }).then(
    ({ data }) => data,
    () => null
  )

const isSame = (one: Person, other: Person) => one.user.id === other.user.id && one.clinic?.id === other.clinic?.id
