/** The states of the patient's page. Before the code: `unknown`, `unavailable`, `locked` and `code`. */
export type PageState = 'unknown' | 'unavailable' | 'locked' | 'code' | Closed | 'accepting' | 'rejecting' | 'open'
/** After the code, with nothing left to decide. */
export type Closed = 'done' | 'decided' | 'superseded' | 'cancelled' | 'expired'

export interface PageFacts {
  /** Whether the server knows the link; `unreachable` before it has ever answered. */
  link: 'known' | 'unknown' | 'unreachable'
  locked: boolean
  /** The budget that the session has loaded; null before the code. */
  budget: null | {
    status: 'draft' | 'sent' | 'accepted' | 'rejected' | 'expired' | 'cancelled' | 'superseded'
    /** The server refused a decision because the validity has ended, whatever the status says. */
    over: boolean
  }
  /** What the reader is doing. */
  step: 'reading' | 'accepting' | 'rejecting'
  /** The server confirmed the decision while this page was open. */
  decided_here: boolean
}

type Rule = [state: PageState, applies: (facts: PageFacts) => boolean]

const decided = ({ budget }: PageFacts) => budget?.status === 'accepted' || budget?.status === 'rejected'

/** In order of precedence: the first rule that applies decides. */
const RULES: Rule[] = [
  ['unknown', facts => facts.link === 'unknown'],
  ['unavailable', facts => !facts.budget && facts.link === 'unreachable'],
  ['locked', facts => !facts.budget && facts.locked],
  ['code', facts => !facts.budget],
  ['done', facts => decided(facts) && facts.decided_here],
  ['decided', decided],
  ['superseded', facts => facts.budget?.status === 'superseded'],
  ['cancelled', facts => facts.budget?.status === 'cancelled'],
  ['expired', facts => facts.budget?.status === 'expired' || facts.budget?.over === true],
  ['accepting', facts => facts.step === 'accepting'],
  ['rejecting', facts => facts.step === 'rejecting'],
  ['open', () => true]
]

export function pageState(facts: PageFacts): PageState {
  return RULES.find(([, applies]) => applies(facts))![0]
}
