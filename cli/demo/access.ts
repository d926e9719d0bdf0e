import * as z from 'zod'
import { DEMO } from '../../server/core/demo/demo.ts'
import { failure } from '../errors.ts'

/** The accounts, link and code that a visitor needs to try everything. */
export interface DemoAccess {
  login: { url: string, email: string, password: string }
  /** An open budget's public address and its code. */
  patient: { link: string, code: string }
}

const SignedIn = z.object({ data: z.object({ access_token: z.string() }) })
const Rows = z.object({ data: z.array(z.object({ id: z.string() })) })
const Detail = z.object({
  data: z.object({ link: z.object({ state: z.string(), url: z.string().nullable(), locked: z.boolean() }) })
})

/** Queries the running instance as the demo user. `url` is its address for this machine. */
export async function findDemoAccess(url: string, base_url: string): Promise<DemoAccess> {
  const user = { email: DEMO.email, password: DEMO.password }
  const { data: { access_token } } = SignedIn.parse(await call(`${url}/api/v1/auth/login`, { body: user }))
  const budgets = `${url}/api/v1/budget/budgets`
  const open = Rows.parse(
    await call(`${budgets}?search=${encodeURIComponent(DEMO.open_budget)}&status=sent&sort=-sent_at`, { access_token })
  )
  for (const { id } of open.data) {
    const { data: { link } } = Detail.parse(await call(`${budgets}/${id}`, { access_token }))
    if (link.state === 'active' && link.url && !link.locked) {
      return { login: { url: `${base_url}/login`, ...user }, patient: { link: link.url, code: DEMO.code } }
    }
  }
  throw failure('no_demo_budget', 'The demo clinic has no open budget.', 'svc demo seed')
}

async function call(url: string, { body, access_token }: { body?: object, access_token?: string }): Promise<unknown> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(access_token ? { authorization: `Bearer ${access_token}` } : {})
    },
    body: body ? JSON.stringify(body) : undefined,
    signal: AbortSignal.timeout(10_000)
  })
  const answer = await response.json() as { detail?: string }
  if (!response.ok)
    throw failure(
      'demo_unavailable',
      `The instance answered ${response.status} to the demo user: ${answer.detail ?? ''}`
    )
  return answer
}
