import type { BudgetPage } from './useBudgetPage.ts'
import type { PageFacts } from '../../utils/page-state.ts'

type Step = PageFacts['step']
const NAMES = { accepting: 'sign', rejecting: 'decline' } as const

/**
 * Makes the step of a decision an entry of the browser's history (`?step=sign`), so that Back leads to the budget
 * instead of away. `onMove` is called when the reader uses Back or Forward. `mayMove` is called first, because Forward
 * can lead to a step that is no longer possible.
 */
export function useStepHistory(
  page: BudgetPage,
  { onMove, mayMove }: { onMove: () => void, mayMove: (step: Step) => boolean }
) {
  const route = useRoute()
  const router = useRouter()
  const shown = (): Step =>
    route.query.step === NAMES.accepting ? 'accepting' : route.query.step === NAMES.rejecting ? 'rejecting' : 'reading'
  const address = (step: Step) => {
    const { step: _, ...query } = route.query
    return { query: step === 'reading' ? query : { ...query, step: NAMES[step] }, hash: route.hash }
  }

  function write(step: Step) {
    if (step === shown()) return
    if (step !== 'reading') return void router.push(address(step))
    if (cameFromHere()) router.back()
    else void router.replace(address(step))
  }

  /** A navigation is in progress, such as a change of language. Starting another one would cancel it. */
  const navigating = ref(false)
  const ended = () => void (navigating.value = false)
  const begun = () => void (navigating.value = true)
  const stops = [router.beforeEach(begun), router.afterEach(ended), router.onError(ended)]
  onScopeDispose(() => stops.forEach(stop => stop()))

  /** The step changed, and the URL has not been updated yet. */
  let isDue = false
  function moved() {
    isDue = true
    writeWhenIdle()
  }
  function writeWhenIdle() {
    if (!isDue || navigating.value) return
    isDue = false
    write(page.step.value)
  }
  watch(page.step, moved)
  watch(navigating, writeWhenIdle)
  watch(() => route.query.step, () => {
    if (isDue || page.step.value === shown()) return
    if (!mayMove(shown())) return moved()
    onMove()
    page.step.value = shown()
  })
  // After the decision there are no steps.
  watch(() => page.view.value?.decision, decision => decision && (page.step.value = 'reading'))
  // A page opened at a URL with a step starts with reading.
  onMounted(moved)

  /** Whether the previous entry, as the router stores it, is this page without a step. */
  function cameFromHere(): boolean {
    const before = (history.state as { back?: string | null } | null)?.back
    return before?.split('?')[0] === route.path && !/[?&]step=/.test(before)
  }
}
