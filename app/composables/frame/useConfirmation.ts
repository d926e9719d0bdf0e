import { ConfirmationNeeds } from '../../../shared/factors.ts'

/** What the server asks for before an action that only the account's holder may do. Shared by all pages. */
export function useConfirmation() {
  const asked = useState<ConfirmationNeeds | null>('confirmation-asked', () => null)
  const confirmations = useState<number>('confirmations', () => 0)

  /** Asks in a dialog over the page. Returns true if the person confirmed and the request can be sent again. */
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
