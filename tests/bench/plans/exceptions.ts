/** A statement whose work grows with the amount of data that is requested. */
interface Exception {
  scenario?: RegExp
  sql: RegExp
  /** The number of rows that it may read. */
  rows: number
  /** The number of rows that it may sort. */
  sorts?: number
  /** Whether it may read a whole table. */
  whole?: boolean
  /** The maximum time of its fastest run, with all data in memory. */
  ms?: number
  why: string
}

const PAGE_500 = 500 * 20
const MAX_COUNTED = 10_000
/** The limit for requests that a user waits for. */
const WAITED_FOR_MS = 200

const exceptions: Exception[] = [
  { sql: /from core_clinic order by id/, rows: Infinity, whole: true, why: 'looks at each clinic' },
  {
    sql: /min\(created_at\) from core_clinic/,
    rows: Infinity,
    whole: true,
    why: 'looks at each clinic and account, when a server starts'
  },
  {
    sql: /budget_count group by/,
    rows: Infinity,
    whole: true,
    why: 'seven rows of each clinic, and what was appended in ten minutes'
  },
  {
    scenario: /worker: look|metrics/,
    sql: /core_webhook\b/,
    rows: Infinity,
    whole: true,
    why: 'looks at each webhook, 20 of a clinic at most'
  },
  {
    scenario: /page=?\s?500/,
    sql: /limit/,
    rows: 3 * PAGE_500,
    sorts: 2 * PAGE_500 + 100,
    why: 'walks an index up to the page'
  },
  {
    scenario: /invoices\?search|patients, /,
    sql: /@@/,
    rows: Infinity,
    sorts: Infinity,
    ms: WAITED_FOR_MS,
    why: 'looks words up over all clinics, and counts what it finds to the last'
  },
  {
    scenario: /^GET budgets\?(search|expires_before)/,
    sql: /@@|valid_until" </,
    rows: 20 * MAX_COUNTED,
    sorts: 20 * MAX_COUNTED,
    ms: WAITED_FOR_MS,
    why: 'passes over one clinic\'s rows that do not match, or over matches of other clinics; counts up to 10,000'
  },
  {
    scenario: /^GET budgets/,
    sql: /count\(\*\)/,
    rows: 2 * MAX_COUNTED,
    why: 'a filtered total is counted up to 10,000'
  },
  { scenario: /invoices/, sql: /count\(\*\)/, rows: Infinity, why: 'counts the invoices of one clinic, off an index' },
  { scenario: /patients/, sql: /count\(\*\)/, rows: Infinity, why: 'counts the patients of one clinic, off an index' },
  {
    scenario: /deliveries of a webhook/,
    sql: /count\(\*\)/,
    rows: Infinity,
    why: 'counts a month of one webhook, off an index'
  },
  {
    scenario: /report/,
    sql: /./,
    rows: Infinity,
    sorts: Infinity,
    ms: WAITED_FOR_MS,
    why: 'the period\'s rows of one clinic, by an index'
  },
  {
    scenario: /verify|doctor/,
    sql: /./,
    rows: Infinity,
    sorts: Infinity,
    whole: true,
    why: 'looks at all of it, when an operator asks'
  },
  {
    scenario: /of a person/,
    sql: /core_event|core_delivery|clinical_patient/,
    rows: Infinity,
    whole: true,
    why: 'a month of events and jobs, when somebody asks'
  }
]

export const exceptionOf = (scenario: string, sql: string): Exception | undefined =>
  exceptions.find(one => one.sql.test(sql) && (one.scenario?.test(scenario) ?? true))
