/** zod's description of a value that a schema refuses. */
interface Issue {
  readonly code?: string
  readonly [detail: string]: unknown
}
/** The members that zod adds to the description, by the code. */
interface Detail {
  origin: string
  minimum: unknown
  maximum: unknown
  inclusive: boolean
  expected: string
  format: string
  divisor: unknown
  input: unknown
  values: unknown[]
  options: unknown[]
  errors: { path: unknown[], message: string }[][]
  issues: { message: string }[]
}

const TYPES: Record<string, string> = {
  string: 'Must be text.',
  number: 'Must be a number.',
  int: 'Must be a whole number.',
  bigint: 'Must be a whole number.',
  boolean: 'Must be true or false.',
  array: 'Must be a list.',
  tuple: 'Must be a list.',
  set: 'Must be a list.',
  object: 'Must be an object.',
  record: 'Must be an object.',
  map: 'Must be an object.',
  null: 'Must be null.',
  never: 'Must be left out.',
  undefined: 'Must be left out.',
  date: 'Must be a date.'
}

const FORMATS: Record<string, string> = {
  email: 'Must be an email address.',
  url: 'Must be a web address such as "https://example.com".',
  uuid: 'Must be an id (UUID).',
  guid: 'Must be an id (UUID).',
  date: 'Must be a day such as "2026-12-31".',
  datetime: 'Must be a time such as "2026-12-31T09:30:00Z".',
  time: 'Must be a time of day such as "20:00".',
  json_string: 'Must be JSON.',
  ipv4: 'Must be an IP address.',
  ipv6: 'Must be an IP address.'
}

const MAX_VALUES = 30
const OTHER = 'Must have another form.'

type Unit = [one: string, many: string]
/** The units that a limit counts. */
const UNITS: Record<string, Unit> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
  object: ['member', 'members'],
  map: ['member', 'members']
}

const count = (number: unknown, [one, many]: Unit) => `${number} ${Number(number) === 1 ? one : many}`
const asJson = (value: unknown) => typeof value === 'bigint' ? String(value) : JSON.stringify(value) ?? String(value)

function describeLimit({ origin, minimum, maximum, inclusive }: Partial<Detail>): string {
  const unit = UNITS[origin ?? '']
  if (maximum !== undefined) {
    if (unit) return `Must have at most ${count(maximum, unit)}.`
    return inclusive === false ? `Must be less than ${maximum}.` : `Must be at most ${maximum}.`
  }
  if (unit) return Number(minimum) === 1 ? 'Must not be empty.' : `Must have at least ${count(minimum, unit)}.`
  return inclusive === false ? `Must be more than ${minimum}.` : `Must be at least ${minimum}.`
}

function describeValues(values: unknown[]): string {
  if (values.length === 1) return `Must be ${asJson(values[0])}.`
  return values.length > MAX_VALUES ? OTHER : `Must be one of ${values.map(asJson).join(', ')}.`
}

/** For a union whose members all refuse the value itself, lists what each of them expects. */
function describeUnion({ options, errors = [] }: Partial<Detail>): string {
  if (options) return describeValues(options)
  const wanted = errors.map(issues => issues.find(({ path }) => path.length === 0)?.message)
  return wanted.length > 0 && wanted.every(Boolean) ? [...new Set(wanted)].join(' Or: ') : OTHER
}

const KINDS: Record<string, (detail: Partial<Detail>) => string> = {
  invalid_type: ({ expected, input }) => input === undefined ? 'Required.' : TYPES[expected ?? ''] ?? OTHER,
  invalid_value: ({ values }) => describeValues(values ?? []),
  too_big: describeLimit,
  too_small: describeLimit,
  invalid_format: ({ format }) => FORMATS[format ?? ''] ?? OTHER,
  not_multiple_of: ({ divisor }) => `Must be a multiple of ${divisor}.`,
  unrecognized_keys: () => 'Unknown field.',
  invalid_key: ({ issues = [] }) => issues[0]?.message ?? 'Has a name that is not allowed.',
  invalid_union: describeUnion,
  invalid_element: () => 'Has an entry that is not allowed.'
}

/**
 * A sentence for an issue of zod: `schema.safeParse(input, { error: describeIssue })`. A schema's own message takes
 * precedence.
 */
export const describeIssue = (issue: Issue): string => KINDS[issue.code ?? '']?.(issue as Partial<Detail>) ?? OTHER

/** The same as a phrase after a name: "PORT must be a whole number". */
export function phraseIssue(issue: Issue): string {
  const sentence = describeIssue(issue)
  return sentence[0]!.toLowerCase() + sentence.slice(1, -1)
}
