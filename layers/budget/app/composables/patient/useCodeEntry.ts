import type { ApiProblem } from '../../utils/call.ts'
import type { CodeOutcome } from '../../utils/code-form.ts'
import type { BudgetPage } from './useBudgetPage.ts'

/**
 * The code's form. Nothing is sent before a person presses the button. `outcome` is the result of a submission before
 * the script had loaded.
 */
export function useCodeEntry(page: BudgetPage, outcome: CodeOutcome | null) {
  const { t, locale } = useI18n()
  const error = ref<string | null>(null)
  const isRight = ref(outcome?.kind === 'right')
  if (outcome) explain(outcome)

  function explain(found: CodeOutcome) {
    if (found.kind === 'wrong') error.value = t('budget.code.wrong', found.attempts_left)
    if (found.kind === 'not_digits') error.value = t('budget.code.not_digits')
    if (found.kind === 'too_many') tooMany(found.retry_after)
    if (found.kind === 'unchecked') page.say(t('budget.notice.code_not_checked'))
    page.busy.value = found.kind === 'right'
  }

  /** Opens an existing session, from a code submitted without the script or from an earlier visit. It only reads. */
  async function resume() {
    if (!isRight.value) return void await page.askView()
    await entered()
    isRight.value = false
    page.busy.value = false
  }

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
    if (problem.status === 429) return tooMany(retryAfter ?? 3600)
    if (problem.status === 423) return page.lock(problem.locked_until ?? null)
    if (problem.status === 404) return

    // There was no answer, so the code may still have been correct.
    if (!await page.askView()) return
    if (await page.askMeta()) page.say(t('budget.notice.code_not_checked'))
    else page.say(t('budget.notice.unreachable'), { ask_again: true })
  }

  function tooMany(seconds: number) {
    page.say(t('budget.notice.too_many_codes', { time: duration(Math.ceil(seconds / 60), locale.value) }))
  }

  return { error, isRight, open, resume }
}
