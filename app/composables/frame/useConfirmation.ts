import { ConfirmationNeeds } from '../../../shared/factors.ts'

/** What the server wants to be shown before something that only the holder of the account may do. One for all pages. */
export function useConfirmation() {
  const asked = useState<ConfirmationNeeds | null>('confirmation-asked', () => null)
  const confirmations = useState<number>('confirmations', () => 0)

  /** Asks in a dialog over the page. True: the person has shown it, and the call can be made again. */
  async function ask(problem: unknown): Promise<boolean> {
    const needs = ConfirmationNeeds.safeParse(problem)
    if (!needs.success || asked.value) return false
    const before = confirmations.value
    asked.value = needs.data
    await until(() => !asked.value)
    return confirmations.value > before
  }

  function finish() {
    confirmations.value++
    asked.value = null
  }
  const cancel = () => void (asked.value = null)

  return { asked, ask, finish, cancel }
}
