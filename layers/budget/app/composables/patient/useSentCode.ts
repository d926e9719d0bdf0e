import type { ApiProblem } from '../../utils/call.ts'
import type { CodeOutcome, CodeSent } from '../../utils/code-form.ts'
import type { BudgetPage } from './useBudgetPage.ts'

/**
 * A code that the clinic's channel brings. Few links offer one, so this is loaded with its button. `outcome` is the
 * result of a submission before the script had loaded.
 */
export function useSentCode(page: BudgetPage, outcome: CodeOutcome | null) {
  const { t, locale } = useI18n()
  /** The last code that was asked for: where it went, or why it was not sent. */
  const sent = ref<{ to: string } | null>(null)
  const unsent = ref<string | null>(null)
  if (outcome && isAboutSending(outcome)) explain(outcome)

  function explain(found: CodeSent) {
    sent.value = found.kind === 'sent' ? { to: found.to } : null
    unsent.value = found.kind === 'sent'
      ? null
      : found.kind === 'sent_too_many'
        ? t('budget.code.sent_too_many', { time: duration(Math.ceil(found.retry_after / 60), locale.value) })
        : t(`budget.code.${found.kind}`)
  }

  async function send(channel: string) {
    if (page.busy.value) return
    page.busy.value = true
    page.notice.value = null
    const answer = await page.api.sendCode(channel)
    page.hear(answer)
    if (answer.ok) explain({ kind: 'sent', to: answer.data.sent_to })
    else explainProblem(answer.problem, answer.retry_after)
    page.busy.value = false
  }

  function explainProblem(problem: ApiProblem, retryAfter: number | null) {
    if (problem.status === 423) return page.lock(problem.locked_until ?? null)
    if (problem.status === 404) return
    if (problem.status === 429) return explain({ kind: 'sent_too_many', retry_after: retryAfter ?? 3600 })
    if (isUncertain(problem)) return explain({ kind: 'unsent' })
    explain({ kind: problem.code === 'same_channel' ? 'same_channel' : 'unavailable' })
  }

  return { sent, unsent, send }
}

const SENDING = ['sent', 'same_channel', 'unavailable', 'unsent', 'sent_too_many']
const isAboutSending = (outcome: CodeOutcome): outcome is CodeSent => SENDING.includes(outcome.kind)
