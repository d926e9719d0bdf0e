import type { ApiProblem } from '../utils/call.ts'
import type { BudgetPage } from './useBudgetPage.ts'

/** The human step: nothing is sent before a person presses the button. */
export function useCodeEntry(page: BudgetPage) {
  const { t, locale } = useI18n()
  const error = ref<string | null>(null)

  async function open(typed: string) {
    if (page.busy.value) return
    page.notice.value = null
    error.value = null
    const code = codeDigits(typed)
    if (!code) return void (error.value = t('budget.code.not_digits'))

    page.busy.value = true
    const answer = await page.api.verify(code)
    page.hear(answer)
    if (answer.ok) await entered()
    else await refused(answer.problem, answer.retry_after)
    page.busy.value = false
  }

  async function entered() {
    const problem = await page.askView()
    if (problem?.status === 401) page.say(t('budget.notice.no_cookies'))
    else if (problem && problem.status !== 404) page.say(t('budget.notice.right_not_loaded'), { ask_again: true })
  }

  async function refused(problem: ApiProblem, retryAfter: number | null) {
    if (problem.status === 401) return void (error.value = t('budget.code.wrong', problem.attempts_left ?? 0))
    if (problem.status === 422) return void (error.value = t('budget.code.not_digits'))
    if (problem.status === 429)
      return page.say(
        t('budget.notice.too_many_codes', { time: duration(Math.ceil((retryAfter ?? 3600) / 60), locale.value) })
      )
    if (problem.status === 423) return locked(problem.locked_until ?? null)
    if (problem.status === 404) return

    // No answer: the code may have been right all the same.
    if (!await page.askView()) return
    if (await page.askMeta()) page.say(t('budget.notice.code_not_checked'))
    else page.say(t('budget.notice.unreachable'), { ask_again: true })
  }

  function locked(until: string | null) {
    if (page.meta.value) page.meta.value = { ...page.meta.value, locked: true, locked_until: until }
  }

  return { error, open }
}
