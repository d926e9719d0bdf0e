import type { Endpoint, ModuleDefinition } from '@svc/kit'
import { nextOf } from '../events/schedule.ts'
import { checkSettings } from '../settings/declaration.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
const isFunction = (value: unknown) => typeof value === 'function'
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) > 0
const isAbsentOr = (check: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || value === null || check(value)

const MEMBERS = [
  'on', 'jobs', 'problems', 'hooks', 'exports', 'doctor', 'metrics', 'demo', 'commands', 'imports', 'settings',
  'public_sections', 'staff_sections', 'accesses', 'steps', 'before', 'clauses', 'channels'
] as const
const TABLES = ['on', 'public_sections', 'staff_sections', 'accesses', 'clauses'] as const

/**
 * The shape that the default export of an entry must have for the host to start it. By shape, never by class, since a
 * package may carry its own copy of the kit, or none. Returns a copy, so that a getter that throws does so only here.
 */
export function checkShape(entry: unknown): ModuleDefinition {
  if (!isObject(entry)) throw new Error('the entry has no default export that is a module')
  if (entry.endpoints !== undefined) {
    throw new Error(
      'endpoints are no longer listed in the entry: each is a file below server/api/v1/, such as server/api/v1/<module>/notes.get.js (docs/modules.md)'
    )
  }
  const definition = Object.fromEntries(
    MEMBERS.filter(member => entry[member] !== undefined).map(member => [member, entry[member]])
  )
  const { jobs = {}, hooks = {}, problems = {}, commands = {}, imports = {}, channels = {} } = definition
  const { exports, doctor, metrics, demo, settings } = definition
  for (const name of TABLES) {
    const { [name]: table = {} } = definition
    if (isObject(table) && Object.values(table).every(isFunction)) continue
    throw new Error(`${name} is not a table of functions`)
  }
  if (!isObject(hooks) || !Object.values(hooks).every(isAbsentOr(isFunction)))
    throw new Error('hooks is not a table of functions')
  checkSteps(definition)
  checkJobs(jobs)
  checkProblems(problems)
  if (settings !== undefined) checkSettings(settings)
  if (!isObject(commands) || !Object.values(commands).every(command => isObject(command) && isFunction(command.run)))
    throw new Error('commands is not a table of {run}')
  if (!isObject(imports) || !Object.values(imports).every(isImportKind))
    throw new Error('imports is not a table of {columns, read, match, write}')
  checkChannels(channels)
  for (const [name, value] of Object.entries({ exports, doctor, metrics, demo })) {
    if (!isAbsentOr(isFunction)(value)) throw new Error(`${name} is not a function`)
  }
  return definition as ModuleDefinition
}

function checkSteps({ steps = {}, before = {} }: Record<string, unknown>): void {
  if (!isObject(before) || !Object.values(before).every(isFunction)) throw new Error('before is not a table of functions')
  if (!isObject(steps) || !Object.values(steps).every(step => isObject(step) && isSchema(step.payload)))
    throw new Error('steps is not a table of {payload}, which is a schema')
}

const isImportKind = (kind: unknown) =>
  isObject(kind)
  && Array.isArray(kind.columns)
  && kind.columns.every(column => isObject(column) && typeof column.name === 'string' && Array.isArray(column.headers))
  && [kind.read, kind.match, kind.write].every(isFunction)
  && isAbsentOr(isFunction)(kind.begin)

/** Names that the host uses itself, and words that mean "no channel" in a message. */
const NO_CHANNELS = ['email', 'manual', 'clinic', 'none']

function checkChannels(channels: unknown): void {
  if (!isObject(channels)) throw new Error('channels is not a table of {label, isReady, addressOf, send}')
  for (const [name, channel] of Object.entries(channels)) {
    if (!/^[a-z][a-z0-9_]{0,29}$/.test(name) || NO_CHANNELS.includes(name))
      throw new Error(`the channel ${name} cannot have this name`)
    const isWhole = isObject(channel)
      && (typeof channel.label === 'string' || isObject(channel.label))
      && [channel.isReady, channel.addressOf, channel.send].every(isFunction)
      && isAbsentOr(isFunction)(channel.hides)
    if (!isWhole) throw new Error(`the channel ${name} needs a label and the functions isReady, addressOf and send`)
  }
}

/** `route` identifies the endpoint in the error. */
export function checkEndpoint(endpoint: unknown, route: string): asserts endpoint is Endpoint {
  if (!isObject(endpoint)) throw new Error(`${route}: its file has no default export that is an endpoint`)
  const { access, handle, limit, query, body, raw_body, stream_body, response } = endpoint
  if (!access || !isFunction(handle)) throw new Error(`${route}: an endpoint lacks access or handle`)
  if (!isAccess(access))
    throw new Error(
      `${route}: access is none of 'none', 'session', 'admin-token', '<module>.<access>', { permission } and a function`
    )
  if (![query, body, response].every(isAbsentOr(isSchema)))
    throw new Error(`${route}: query, body and response need a safeParse function`)
  if (!isAbsentOr(isTypes)(raw_body) || (raw_body && body))
    throw new Error(`${route}: raw_body is a list of content types, in place of body`)
  if (stream_body !== undefined && (typeof stream_body !== 'boolean' || !raw_body))
    throw new Error(`${route}: stream_body is true or false, beside raw_body`)
  if (![limit ?? []].flat().every(isLimit))
    throw new Error(`${route}: a limit needs name, points, seconds, by and counts`)
}

const isAccess = (access: unknown) =>
  (typeof access === 'string' && /^(?:none|session|admin-token|[a-z][a-z0-9_]*\.[a-z0-9_.]+)$/.test(access))
  || isFunction(access)
  || (isObject(access) && typeof access.permission === 'string')
const isTypes = (types: unknown) =>
  Array.isArray(types) && types.length > 0 && types.every(type => typeof type === 'string')
const isSchema = (schema: unknown) =>
  schema !== null && typeof schema === 'object' && isFunction((schema as { safeParse?: unknown }).safeParse)
const isLimit = (limit: unknown) =>
  isObject(limit)
  && typeof limit.name === 'string'
  && isCount(limit.points)
  && isCount(limit.seconds)
  && (isFunction(limit.by) || ['address', 'address+param'].includes(limit.by as string))
  && ['requests', 'successes', 'failures'].includes(limit.counts as string)

function checkJobs(jobs: unknown): void {
  if (!isObject(jobs)) throw new Error('jobs is not a table of {run}')
  for (const [name, job] of Object.entries(jobs)) {
    if (!isObject(job) || !isFunction(job.run)) throw new Error('jobs is not a table of {run}')
    if (job.cron !== undefined && !isCron(job.cron))
      throw new Error(`the job ${name} has no schedule of five fields: ${String(job.cron)}`)
  }
}

function checkProblems(problems: unknown): void {
  if (!isObject(problems)) throw new Error('problems is not a table of {status, title}')
  for (const [code, problem] of Object.entries(problems)) {
    const isWhole
      = isObject(problem)
        && typeof problem.title === 'string'
        && isCount(problem.status)
        && (problem.status as number) >= 400
        && (problem.status as number) <= 599
    if (!isWhole) throw new Error(`the problem ${code} needs a status from 400 to 599 and a title`)
  }
}

/** Minute, hour, day of the month, month, day of the week. */
const RANGES = [[0, 59], [0, 23], [1, 31], [1, 12], [0, 6]] as const

/** Rejects a schedule that never comes: it would block all others, which tick in one transaction. */
export function isCron(text: unknown): boolean {
  if (typeof text !== 'string') return false
  const fields = text.trim().split(/\s+/)
  const isWhole
    = fields.length === RANGES.length
      && fields.every((field, index) => field.split(',').every(part => isPart(part, RANGES[index]!)))
  const [, , day, month] = fields
  const mayNeverCome = day !== '*' && month !== '*' // such as 30 February; searching for it is slow
  return isWhole && isTaken(text, mayNeverCome)
}

/** The library has further limits: it refuses a step beyond a field's range. */
function isTaken(text: string, mayNeverCome: boolean): boolean {
  try {
    const next = nextOf(text)
    return !mayNeverCome || next(new Date(0)) !== null
  } catch {
    return false // the module's author need not know which field is wrong
  }
}

/** `*`, `5` or `1-5`. All but the single number can have a step: `*` with `/10` means every tenth. */
function isPart(part: string, [least, most]: readonly [number, number]): boolean {
  const match = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part)
  if (!match) return false
  const [, from, to, step] = match
  if (step !== undefined && (Number(step) < 1 || (from !== undefined && to === undefined))) return false
  if (from === undefined) return true
  return Number(from) >= least && Number(to ?? from) <= most && Number(from) <= Number(to ?? from)
}
