import { registerEndpoint } from '@nuxt/test-utils/runtime'
import { getHeaders, getQuery, readBody, setResponseHeaders, setResponseStatus } from 'h3'
import { onTestFinished } from 'vitest'
import type { ActiveModule } from '../../../shared/modules.ts'
import type { Me, Screen } from '../../../shared/auth.ts'
import { clearNuxtState, useSession } from '#imports'

interface ReceivedRequest { query: Record<string, unknown>, headers: Record<string, string | undefined>, body: any }
interface Reply {
  status?: number
  headers?: Record<string, string>
  data?: unknown
  code?: string
  detail?: string
  total?: number
  /** Additional members of a problem document. */
  members?: Record<string, unknown>
}
type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * Defines the API's response in this test, in its envelope or as a problem document. Returns the requests that arrive.
 */
export function answers(
  method: Method,
  path: string,
  reply: Reply | ((asked: ReceivedRequest) => Reply | Promise<Reply>)
): ReceivedRequest[] {
  const asked: ReceivedRequest[] = []
  const stop = registerEndpoint(path, {
    method,
    handler: async (event) => {
      const request = {
        query: getQuery(event),
        headers: lowerCase(getHeaders(event)),
        body: ['GET', 'DELETE'].includes(method) ? undefined : await readBody(event)
      }
      asked.push(request)
      const { status = 200, headers = {}, ...rest } = typeof reply === 'function' ? await reply(request) : reply
      setResponseStatus(event, status)
      setResponseHeaders(event, {
        'content-type': status < 400 ? 'application/json' : 'application/problem+json',
        ...headers
      })
      return JSON.stringify(status < 400 ? rest : problem(status, rest))
    }
  })
  onTestFinished(stop)
  return asked
}

/** Header names are not case-sensitive, as in HTTP. */
const lowerCase = (headers: ReceivedRequest['headers']) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const problem = (status: number, { code = 'internal_error', detail = '', members }: Reply) => ({
  type: 'about:blank',
  title: '',
  status,
  code,
  detail,
  request_id: 'req-7',
  ...members
})

/** A promise that the test settles: a response that is still on its way. */
export const later = <T = void>() => Promise.withResolvers<T>()

export const aPerson = (over: Partial<Me> = {}): Me => ({
  user: {
    id: '0197c6a0-0000-7000-8000-000000000001',
    email: 'ana@clinic.example',
    first_name: 'Ana',
    last_name: 'Peñalver',
    instance_admin: false
  },
  clinic: {
    id: '0197c6a0-0000-7000-8000-000000000002',
    name: 'Clínica Peñalver',
    currency: 'EUR',
    time_zone: 'Europe/Madrid',
    locale: 'en'
  },
  role: 'receptionist',
  permissions: [],
  clinics: [],
  ...over
})

export const aScreen = ({ user, clinic }: Me, over: Partial<Screen> = {}): Screen => ({
  user_id: user.id,
  clinic_id: clinic?.id ?? null,
  language: null,
  accent_color: null,
  prices_include_tax: false,
  settings: {},
  country: null,
  first_steps: false,
  second_factor_due: null,
  second_factor_overdue: false,
  factor_review: false,
  ...over
})

export const aModule = (name: string, navigation: Partial<ActiveModule['navigation'][number]>[]): ActiveModule => ({
  name,
  version: '1.0.0',
  category: 'official',
  summary: null,
  permissions: [],
  navigation: navigation.map(entry => ({
    label: name,
    to: `/${name}`,
    icon: null,
    permission: null,
    order: 0,
    ...entry
  }))
})

/** Makes this person the owner of the server's session, and loads it as the screens do. */
export async function signIn(person: Partial<Me> = {}, modules: ActiveModule[] = [], screen: Partial<Screen> = {}) {
  const me = aPerson(person)
  answers('GET', '/me', { data: me })
  answers('GET', '/api/v1/auth/screen', { data: aScreen(me, screen) })
  answers('GET', '/api/v1/modules/-/active', { data: modules })
  await useSession().load()
}

/** The next test starts like a browser that was just opened. */
export const forgetSession = () => clearNuxtState()
