import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPatient, aProfessional, aSentBudget, aTreatment, aVerifiedPatient, aDraft } from '../support/builders.ts'
import { createCaller, type Answer, type Caller } from '../support/caller.ts'
import { anInstance, type Instance } from '../support/instance.ts'
import { valuesOf, type JsonSchema } from '../support/json-schema.ts'

interface Parameter { name: string, in: 'path' | 'query', schema: JsonSchema }
interface Operation { parameters?: Parameter[], requestBody?: { content: Record<string, { schema?: JsonSchema }> } }
interface Route { method: string, path: string, operation: Operation }

const RUNS = Number(process.env.FUZZ_RUNS ?? 25)
/** They end what the other routes need: their own tests look after them. */
const LEFT_OUT = ['/auth/logout', '/auth/password', '/auth/switch-clinic', '/session', '/api/docs', '/health', '/livez', '/readyz']

let it: Instance
let routes: Route[]
/** What path parameters and ids in bodies are tried with. */
let ids: string[]

beforeAll(async () => {
  it = await anInstance()
  const admin = await it.as('admin')
  const made = [await aPatient(admin), await aProfessional(it), await aTreatment(admin), await aDraft(it), await aSentBudget(it)]
  ids = [...made.map(({ id }) => id), it.clinic.id]
  const { paths } = (await createCaller(it.url).get('/api/v1/openapi.json')).body as { paths: Record<string, Record<string, Operation>> }
  routes = Object.entries(paths)
    .filter(([path]) => !LEFT_OUT.some(part => path.includes(part)))
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ method, path, operation })))
})
afterAll(() => it.close())

test('whatever is sent to whichever route: never a 5xx, and every refusal is problem+json', async () => {
  for (const route of routes) await fuzz(route)
}, 240_000)

/** Those whom the route is for come first; the last is a stranger. */
async function callersOf(path: string): Promise<{ callers: Caller[], values: string[] }> {
  const stranger = createCaller(it.url)
  if (path.startsWith('/api/v1/modules')) return { callers: [await it.asInstanceAdmin(), await it.as('admin'), stranger], values: ['budget', ...ids] }
  if (!path.includes('{token}')) return { callers: [await it.as('admin'), await it.as('receptionist'), stranger], values: ids }
  const budget = await aSentBudget(it)
  return { callers: [await aVerifiedPatient(it, budget), stranger], values: [budget.token] }
}

async function fuzz(route: Route): Promise<void> {
  const { callers, values } = await callersOf(route.path)
  const { parameters = [], requestBody } = route.operation
  const body = requestBody?.content['application/json']?.schema
  const inPath = parameters.filter(parameter => parameter.in === 'path')
  const inQuery = parameters.filter(parameter => parameter.in === 'query')
  const call = fc.record({
    caller: fc.oneof({ arbitrary: fc.constant(callers[0]!), weight: 8 }, { arbitrary: fc.constantFrom(...callers), weight: 1 }),
    path: fc.tuple(...inPath.map(() => fc.oneof({ arbitrary: fc.constantFrom(...values), weight: 8 }, { arbitrary: fc.constantFrom('x', '%ff', '%00', '..%2f', '-', '9'.repeat(40)), weight: 1 }))),
    query: fc.tuple(...inQuery.map(({ name, schema }) => fc.option(valuesOf(schema, ids).map(value => [name, value] as const), { freq: 2 }))),
    body: body ? valuesOf(body, ids) : fc.constant(undefined)
  })
  await fc.assert(fc.asyncProperty(call, async (sent) => {
    // The limits by address are real; this test is about answers, not about them.
    await it.sql`delete from core_rate_limit`
    let next = 0
    const path = route.path.replace(/\{\w+\}/g, () => sent.path[next++]!)
    const query = new URLSearchParams(sent.query.filter(entry => entry !== null).flatMap(([name, value]) => [value].flat().map(one => [name, String(one)])))
    const answer = await send(sent.caller, route.method, `${path}${query.size > 0 ? `?${query}` : ''}`, sent.body)
    expectDecent(answer, `${route.method} ${path}?${query} ${JSON.stringify(sent.body)}`)
  }), { numRuns: RUNS, endOnFailure: true })
}

function send(caller: Caller, method: string, path: string, body: unknown): Promise<Answer> {
  if (method === 'get' || method === 'delete') return caller[method](path)
  return caller[method as 'post' | 'patch' | 'put'](path, body)
}

function expectDecent({ status, headers, body }: Answer, what: string) {
  expect(status, `${what} ${JSON.stringify(body)}`).toBeLessThan(500)
  expect(headers.get('x-request-id'), what).toBeTruthy()
  if (status < 400) return
  expect(headers.get('content-type'), what).toBe('application/problem+json')
  expect(body, what).toMatchObject({ status, code: expect.stringMatching(/^[a-z_]+$/), detail: expect.any(String), title: expect.any(String) })
}
