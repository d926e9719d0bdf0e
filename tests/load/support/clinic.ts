import type { Built } from '../../support/browser/built.ts'
import { aProfessional, aTreatment } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import type { Answers } from './answers.ts'
import type { Inbox } from './inbox.ts'

export const PASSWORD = 'a password of the load'
const ROLES = ['admin', 'dentist', 'receptionist'] as const

export interface Clinic {
  id: string
  admin: Caller
  /** The email addresses of the staff who write budgets. */
  staff: string[]
  professional: string
  treatments: string[]
  /** The paths of its webhooks at the inbox with their events. `*` stands for all. */
  hooks: { path: string, events: string[] }[]
}

/** A clinic that is ready to work: staff, treatments, a dentist, and two systems with webhooks. */
export async function openClinic(
  { built, inbox, answers }: { built: Built, inbox: Inbox, answers: Answers },
  at: number
): Promise<Clinic> {
  const { id } = await built.anotherClinic()
  const admin = answers.from(await built.as('admin', { id }), `10.9.0.${at + 1}`)
  const must = async <T>(call: Promise<{ status: number, body: any }>): Promise<T> => {
    const { status, body } = await call
    if (status >= 300) throw new Error(`a clinic could not be opened: ${status} ${JSON.stringify(body)}`)
    return body.data
  }
  const staff = ROLES.map(role => `${role}-${at}@clinic.test`)
  for (const [place, role] of ROLES.entries())
    await must(
      admin.post('/api/v1/users', {
        email: staff[place],
        first_name: 'Quetzalli',
        last_name: 'Ixtab',
        role,
        password: PASSWORD
      })
    )
  const treatments = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      aTreatment(admin, { unit_price: `${n * 37 + 11}.50`, vat: n % 2 === 0 ? '21' : '0' })
    )
  )
  const { id: professional } = await aProfessional({ ...built, as: async () => admin })
  const hooks = [
    { path: `/all-${at}`, events: ['*'] },
    { path: `/decisions-${at}`, events: ['budget.accepted', 'budget.rejected'] }
  ]
  for (const { path, events } of hooks) {
    const { secret } = await must<{ secret: string }>(
      admin.post('/api/v1/webhooks', { url: `${inbox.url}${path}`, events })
    )
    answers.secrets.add(secret)
    inbox.expect(path, secret)
  }
  return { id, admin, staff, professional, treatments: treatments.map(treatment => treatment.id as string), hooks }
}
