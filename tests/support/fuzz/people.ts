import { randomBytes } from 'node:crypto'
import { createUser } from '../../../server/core/people/accounts/create-user.ts'
import { aSentBudget, aVerifiedPatient } from '../builders.ts'
import { createCaller, type Caller } from '../caller.ts'
import type { Instance } from '../instance.ts'
import { PASSWORD } from '../people.ts'
import { ROLES } from '../staff-endpoints.ts'
import type { Route } from './document.ts'
import type { Things } from './things.ts'

export type Who
  = | 'admin'
    | 'dentist'
    | 'hygienist'
    | 'assistant'
    | 'receptionist'
    | 'stranger'
    | 'other-clinic'
    | 'instance-admin'
    | 'browser'
    | 'patient'

/** Permitted callers come first. */
export function whoCalls({ path, operation }: Route): Who[] {
  const others: Who[] = [...ROLES, 'stranger', 'other-clinic', 'instance-admin', 'browser', 'patient']
  const first: Who = path.startsWith('/api/v1/modules') || path === '/metrics'
    ? 'instance-admin'
    : path.includes('{token}')
      ? 'patient'
      : operation.security.length === 0 ? 'stranger' : 'admin'
  return [first, ...others]
}

/** These end the caller's session or its subject, so the caller is created again afterwards. */
const ENDS_THE_CALLER = /\/(?:logout|switch-clinic|password|session|accept|reject)$/

export interface People {
  get (who: Who): Promise<Caller>
  /** Before the next call. */
  after (who: Who, route: Route, status: number): void
}

export async function createFuzzPeople(instance: Instance, things: Things): Promise<People> {
  const known = new Map<Who, Promise<Caller>>()
  const other = await instance.anotherClinic()

  async function make(who: Who): Promise<Caller> {
    if (who === 'stranger') return createCaller(instance.url)
    if (who === 'instance-admin') return instance.asInstanceAdmin()
    if (who === 'patient') return aPatientOfANewBudget()
    const clinic_id = who === 'other-clinic' ? other.id : instance.clinic.id
    const role = who === 'other-clinic' || who === 'browser' ? 'admin' : who
    const email = `${role}-${randomBytes(4).toString('hex')}@clinic.test`
    await createUser(
      instance.runtime.host,
      { email, first_name: 'Rosa', last_name: role, clinic_id, role, password: PASSWORD },
      { by: 'operator' }
    )
    const browser = createCaller(instance.url)
    const { body } = await browser.post('/api/v1/auth/login', { email, password: PASSWORD })
    return who === 'browser' ? browser : createCaller(instance.url, { bearer: body.data.access_token })
  }

  async function aPatientOfANewBudget(): Promise<Caller> {
    const budget = await aSentBudget(instance)
    things.add('token', budget.token)
    return aVerifiedPatient(instance, budget)
  }

  return {
    get(who) {
      let caller = known.get(who)
      if (!caller) known.set(who, caller = make(who))
      return caller
    },
    after(who, { path }, status) {
      if (status < 300 && ENDS_THE_CALLER.test(path)) known.delete(who)
    }
  }
}
