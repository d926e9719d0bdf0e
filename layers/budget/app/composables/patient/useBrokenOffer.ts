import type { PatientView } from '../../../shared/contract.ts'
import type { PageState } from '../../utils/page-state.ts'
import type { Notice } from './useBudgetPage.ts'

interface ShownOffer {
  view: Readonly<Ref<PatientView | null>>
  state: Readonly<Ref<PageState>>
  broken: Ref<boolean>
}

/** Vue's names, in development and in a build, for errors in event handlers. These don't leave a gap on the page. */
const HANDLER = /event handler|runtime-[56]$/

/**
 * Catches rendering errors in the offer's components, because a missing part could go unnoticed. Returns the notice
 * that the page shows until it is loaded again.
 */
export function useBrokenOffer({ view, state, broken }: ShownOffer) {
  const { t } = useI18n()
  onErrorCaptured((error, _, info) => {
    if (!view.value || HANDLER.test(info)) return
    broken.value = true
    console.error(error)
    return false
  })
  return computed<Notice | null>(() => {
    if (!broken.value || !view.value) return null
    const isOpen = ['open', 'accepting', 'rejecting'].includes(state.value)
    const text = [t('budget.notice.broken'), ...(isOpen ? [t('budget.notice.broken_open')] : [])].join(' ')
    return { tone: 'warning', text }
  })
}
