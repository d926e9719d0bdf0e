import type { LinkMeta, LinkView, PageSection } from '../../../shared/contract.ts'
import type { Answer, ApiProblem } from '../../utils/call.ts'
import type { CodeOutcome } from '../../utils/code-form.ts'
import { pageState, type PageFacts } from '../../utils/page-state.ts'
import { useBrokenOffer } from './useBrokenOffer.ts'
import { useBudgetLink } from './useBudgetLink.ts'

/** Shown above the state that it explains. It gets the focus when it appears. */
export interface Notice {
  tone: 'info' | 'warning'
  text: string
  /** Shows a button to check again. */ ask_again?: boolean
}

export interface FirstMeta {
  link: PageFacts['link']
  meta: LinkMeta | null
  /** The clinic's accent colour, `#rrggbb`. */ accent: string | null
  /** The result of a code that was submitted without the script. */ outcome: CodeOutcome | null
  /** The server's clock when it answered. */ now: number
  /** What other modules add, right after that code; absent otherwise. */ sections?: PageSection[]
}

/** The state of the patient's page. Only the server's responses and the reader's actions change it. */
export function useBudgetPage(token: string, first: FirstMeta) {
  const knowledge = useBudgetKnowledge(token, first)
  const { api, view, step, decidedHere, busy, notice, state, say, askMeta, askView } = knowledge
  const { t } = useI18n()

  /** A session that ended during the reader's work: shows the code's form again, and keeps everything typed. */
  async function sessionEnded() {
    view.value = null
    await askMeta()
    say(t('budget.notice.session_ended'))
  }

  async function askAgain() {
    if (busy.value) return
    busy.value = true
    notice.value = null
    await learnAgain(view.value !== null)
    busy.value = false
  }

  async function learnAgain(wasOpen: boolean) {
    const problem = await askView()
    if (problem?.status === 401 && wasOpen) return sessionEnded()
    const answered = problem?.status === 401 ? await askMeta() : !problem || !isUncertain(problem)
    if (!answered) return say(t('budget.notice.still_unreachable'), { ask_again: true })
    if (state.value !== 'accepting' && state.value !== 'rejecting') return
    say(t('budget.notice.not_recorded'))
  }

  async function close() {
    if (busy.value) return
    busy.value = true
    const answer = await api.close()
    busy.value = false
    if (!answer.ok && answer.problem.status !== 401) return say(t('budget.notice.not_closed'))
    view.value = null
    step.value = 'reading'
    decidedHere.value = false
    await askMeta()
    say(t('budget.notice.closed'), { tone: 'info' })
  }

  /** The regular check of a lock. The notice about the lock is removed with it. */
  async function askWhileLocked() {
    if (!busy.value) await askMeta()
    if (state.value !== 'locked') notice.value = null
  }

  async function tryNow() {
    if (busy.value) return
    busy.value = true
    notice.value = null
    const answered = await askMeta()
    busy.value = false
    if (!answered) return say(t('budget.notice.still_unreachable'))
    if (state.value === 'locked') say(t('budget.lock.still'), { tone: 'info' })
  }

  const brokenNotice = useBrokenOffer(knowledge)
  return { ...knowledge, brokenNotice, askAgain, askWhileLocked, tryNow, sessionEnded, close }
}

export type BudgetPage = ReturnType<typeof useBudgetPage>

function useBudgetKnowledge(token: string, first: FirstMeta) {
  const api = useBudgetLink(token)
  const link = ref(first.link)
  const meta = shallowRef(first.meta)
  const view = shallowRef<LinkView | null>(null)
  /** The server reported that there is no session. */
  const signedOut = ref(false)
  const over = ref(false)
  const step = ref<PageFacts['step']>('reading')
  const decidedHere = ref(false)
  const notice = ref<Notice | null>(null)
  const busy = ref(false)
  /** A part of the offer couldn't be rendered. Readers can't accept what they haven't seen. */
  const broken = ref(false)
  /** Add to this device's clock to get the server's. */
  const skew = ref(first.now - Date.now())
  const retryAfter = ref<number | null>(null)

  const state = computed(() => pageState({
    link: link.value,
    locked: meta.value?.locked ?? false,
    budget: view.value && { status: view.value.status, over: over.value },
    step: step.value,
    decided_here: decidedHere.value
  }))

  function say(text: string, options: Partial<Notice> = {}) {
    notice.value = { tone: 'warning', text, ...options }
  }

  function hear(answer: Answer<unknown>) {
    if (!answer.ok && answer.problem.status === 0) return
    skew.value = answer.server_time - Date.now()
    retryAfter.value = answer.retry_after
    if (answer.ok) link.value = 'known'
    else if (answer.problem.status === 404) link.value = 'unknown'
  }

  function lock(until: string | null) {
    if (meta.value) meta.value = { ...meta.value, locked: true, locked_until: until }
  }

  /** Loads what is known before the code: unknown, locked, closed or open. Returns false if there was no answer. */
  async function askMeta(): Promise<boolean> {
    const answer = await api.meta()
    hear(answer)
    if (answer.ok) meta.value = answer.data
    return answer.ok || !isUncertain(answer.problem)
  }

  /** Loads what is known after the code. Returns null, or the problem if it can't be loaded. */
  async function askView(): Promise<ApiProblem | null> {
    const answer = await api.view()
    hear(answer)
    signedOut.value = !answer.ok && answer.problem.status === 401
    if (answer.ok) view.value = answer.data
    else if (signedOut.value) view.value = null
    return answer.ok ? null : answer.problem
  }

  return {
    api,
    link,
    meta,
    view,
    signedOut,
    over,
    step,
    decidedHere,
    notice,
    busy,
    broken,
    skew,
    retryAfter,
    state,
    say,
    hear,
    lock,
    askMeta,
    askView
  }
}
