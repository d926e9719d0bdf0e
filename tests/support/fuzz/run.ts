import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { aDraft, aPatient, aProfessional, aSentBudget, aTreatment } from '../builders.ts'
import { createCaller, type Answer, type Caller } from '../caller.ts'
import type { Instance } from '../instance.ts'
import { callsOf, type Call } from './calls.ts'
import { createFaultFinder, routesOf, type OpenApi, type Route } from './document.ts'
import { createFuzzPeople, whoCalls } from './people.ts'
import { createThings, type Things } from './things.ts'

export interface FuzzOptions {
  seed: number
  /** How many times all routes are called; with `minutes`, as often as possible. */
  rounds: number
  minutes: number | null
  /** Calls of each route in a round. */
  calls: number
  /** Only routes whose "method path" contains it. */
  only: string
}
export interface Fuzzed {
  calls: number
  rounds: number
  findings: string[]
  /** status → how often */ statuses: Record<string, number>
  slowest: { ms: number, what: string }
}

/** Nitro's own routes, which a test instance doesn't have. */
const NOT_HERE = ['/health', '/livez', '/readyz']
/** Long, because the machine may be busy; slow answers are listed in the report. */
const TIMEOUT_MS = 60_000

/**
 * Each call depends only on the seed, the round, the route and the existing records, so that the same seed sends the
 * same calls.
 */
export async function fuzz(instance: Instance, { seed, rounds, minutes, calls, only }: FuzzOptions): Promise<Fuzzed> {
  const document = (await createCaller(instance.url).get('/api/v1/openapi.json')).body as OpenApi
  const things = await someThings(instance)
  const people = await createFuzzPeople(instance, things)
  const findFault = createFaultFinder(document)
  const routes = routesOf(document).filter(
    ({ method, path }) => !NOT_HERE.includes(path) && `${method} ${path}`.includes(only)
  )
  const found = new Map<string, string>()
  const done: Fuzzed = { calls: 0, rounds: 0, findings: [], statuses: {}, slowest: { ms: 0, what: '' } }
  const end = minutes === null ? Infinity : performance.now() + minutes * 60_000

  /** Prints each kind of fault once and immediately, because a run of an hour can end for another reason. */
  function note(finding: string, where: string): void {
    if (found.has(finding)) return
    found.set(finding, `${finding}\n    ${where}`)
    console.info(found.get(finding))
  }

  async function one(route: Route, at: number): Promise<void> {
    const name = `${route.method} ${route.path}`
    const own = seedOf(`${seed}/${done.rounds}/${name}/${at}`)
    const [call] = fc.sample(callsOf(route, things, whoCalls(route)), { seed: own, numRuns: 1 }) as [Call]
    // The limits by address are real, but most calls are about something else.
    if (own % 20 !== 0) await instance.sql`delete from core_rate_limit`
    const caller = await people.get(call.who)
    const start = performance.now()
    const answer = await send(caller, route.method, call).catch((error: unknown) => error as Error)
    const ms = performance.now() - start
    const what = `${route.method.toUpperCase()} ${call.path.slice(0, 300)} by ${call.who} ${JSON.stringify(call.headers).slice(0, 300)} ${String(call.payload).slice(0, 600)}`
    done.calls += 1
    if (ms > done.slowest.ms) done.slowest = { ms: Math.round(ms), what }
    const wrong = answer instanceof Error ? `gives no answer: ${answer.message}` : findFault(route, answer)
    if (wrong)
      note(
        `${name} ${wrong}`,
        `seed ${seed}, round ${done.rounds}, call ${at}: ${what}\n    ${answer instanceof Error ? '' : answer.bytes.toString().slice(0, 600)}`
      )
    if (answer instanceof Error) return
    done.statuses[answer.status] = (done.statuses[answer.status] ?? 0) + 1
    people.after(call.who, route, answer.status)
    remember(things, route, answer)
  }

  do {
    for (const route of routes) {
      for (let at = 0; at < calls && performance.now() < end; at++) await one(route, at)
    }
    done.rounds += 1
    if (minutes !== null)
      console.info(
        `round ${done.rounds}, ${done.calls} calls, ${found.size} findings, ${Math.round(process.memoryUsage().heapUsed / 2 ** 20)} MB`
      )
  } while (minutes === null ? done.rounds < rounds : performance.now() < end)
  done.findings = [...found.values()]
  return done
}

const seedOf = (text: string) => createHash('sha256').update(text).digest().readInt32BE(0)

function send(caller: Caller, method: string, { path, headers, payload }: Call): Promise<Answer> {
  const body = payload === undefined ? {} : { raw: payload }
  const options = { headers, signal: AbortSignal.timeout(TIMEOUT_MS), ...body }
  if (method === 'get') return caller.get(path, options)
  if (method === 'delete') return caller.delete(path, options)
  return caller[method as 'post' | 'patch' | 'put'](path, undefined, options)
}

async function someThings(instance: Instance): Promise<Things> {
  const things = createThings()
  const admin = await instance.as('admin')
  things.add('patients', (await aPatient(admin)).id)
  things.add('professionals', (await aProfessional(instance)).id)
  for (let i = 0; i < 3; i++) things.add('treatments', (await aTreatment(admin)).id)
  for (let i = 0; i < 3; i++) things.add('budgets', (await aDraft(instance)).id)
  const sent = await aSentBudget(instance)
  things.add('budgets', sent.id)
  things.add('token', sent.token)
  things.add('clinics', instance.clinic.id)
  for (const { name } of instance.runtime.host.registry.modules) things.add('name', name)
  return things
}

/** Later calls can use records that were created or listed, except the users who make the calls. */
function remember(things: Things, { method, path }: Route, { status, body }: Answer): void {
  if (
    status >= 300
    || !body?.data
    || path.startsWith('/api/v1/modules')
    || (method === 'get' && path === '/api/v1/users')
  )
    return
  const collection = path.includes('{id}') ? things.collectionOf(path) : path.split('/').at(-1)!
  const rows = method === 'get' && Array.isArray(body.data) ? (body.data as unknown[]).slice(0, 3) : [body.data]
  for (const row of rows) {
    const { id, url } = (row ?? {}) as { id?: unknown, url?: unknown }
    if (typeof id === 'string') things.add(collection, id)
    const token = typeof url === 'string' && /\/p\/budget\/([^/]+)$/.exec(url)?.[1]
    if (token) things.add('token', token)
  }
}
