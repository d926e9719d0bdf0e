import type { Notice } from './useBudgetPage.ts'
import type { PageState } from '../../utils/page-state.ts'

/** Moves the focus to the heading of a new state, unless a notice explains it, which takes the focus itself. */
export function usePlace(state: Readonly<Ref<PageState>>, notice: Readonly<Ref<Notice | null>>) {
  watch(state, async () => {
    await nextTick()
    window.scrollTo({ top: 0 })
    if (!notice.value) document.querySelector<HTMLElement>('[data-place]')?.focus({ preventScroll: true })
  })
}
