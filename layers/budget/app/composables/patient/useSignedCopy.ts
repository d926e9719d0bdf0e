import type { BudgetPage } from './useBudgetPage.ts'

const MAX_ATTEMPTS = 30

/** Checks at the server's pace whether the signed PDF is ready. Stops after `MAX_ATTEMPTS` attempts. */
export function useSignedCopy(page: BudgetPage) {
  const tries = ref(0)
  const pending = computed(() => page.view.value?.signed_pdf.status === 'pending')
  /** The PDF takes unusually long, so the page stops checking. */
  const late = computed(() => pending.value && tries.value >= MAX_ATTEMPTS)
  let timer: ReturnType<typeof setTimeout> | undefined

  function plan() {
    clearTimeout(timer)
    if (!pending.value || late.value) return
    const pause = Math.max(page.retryAfter.value ?? 2, Math.min(10, tries.value / 2))
    timer = setTimeout(look, pause * 1000)
  }

  async function look() {
    tries.value++
    const problem = document.hidden ? null : await page.askView()
    if (problem?.status === 401) return page.sessionEnded()
    plan()
  }

  async function again() {
    tries.value = 0
    await look()
  }

  watch(pending, plan)
  onMounted(plan)
  onBeforeUnmount(() => clearTimeout(timer))
  return { late, again }
}
