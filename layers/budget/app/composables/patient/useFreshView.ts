import type { BudgetPage } from './useBudgetPage.ts'

const STALE_MS = 30_000

/**
 * Loads the budget again when the reader returns to a page that was left open, and when the language changes, because
 * the server sends the treatments' names in that language.
 */
export function useFreshView(page: BudgetPage) {
  const { locale } = useI18n()
  let seen = 0

  async function refresh() {
    if (!page.view.value || page.busy.value) return
    seen = Date.now()
    const problem = await page.askView()
    if (problem?.status === 401) await page.sessionEnded()
  }

  const onVisible = () => {
    if (!document.hidden && Date.now() - seen > STALE_MS) void refresh()
  }

  watch(page.view, () => {
    seen = Date.now()
  })
  watch(locale, refresh)
  onMounted(() => document.addEventListener('visibilitychange', onVisible))
  onBeforeUnmount(() => document.removeEventListener('visibilitychange', onVisible))
}
