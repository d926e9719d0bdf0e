import { defineEndpoint, page, type StaffRequest } from '@svc/kit'
import * as z from 'zod'
import { NewUser, User, UserChange, UserQuery } from '../../../shared/contract.ts'
import { createUser } from '../auth/create-user.ts'
import { sendInvitation } from '../auth/mails.ts'
import { changeUser, getUser, listUsers } from '../auth/users.ts'
import type { CoreEndpoint } from '../http/pipeline.ts'
import type { Services } from '../services.ts'

const access = { permission: 'users.manage' }
const clinicOf = (request: StaffRequest) => request.actor.clinic_id

export const userEndpoints = (services: Services): CoreEndpoint[] => [
  defineEndpoint({
    method: 'get', path: '/users', access,
    summary: 'The people of the clinic.',
    query: UserQuery, response: z.array(User),
    async handle({ query, request }) {
      const { rows, total } = await listUsers(services.db, clinicOf(request), { ...query, active: query.active && query.active === 'true' })
      return page(rows, { total, page: query.page, page_size: query.page_size })
    }
  }),
  defineEndpoint({
    method: 'post', path: '/users', access,
    summary: 'Add somebody to the clinic. Without a password an invitation is mailed.',
    body: NewUser, response: User, status: 201, problems: ['user_exists', 'account_unproven'],
    handle: ({ body, request }) => addUser(services, { ...body, clinic_id: clinicOf(request) }, request.id)
  }),
  defineEndpoint({
    method: 'get', path: '/users/:id', access,
    summary: 'One person of the clinic.',
    response: User,
    handle: ({ params, request }) => getUser(services.db, { clinic_id: clinicOf(request), id: params.id! })
  }),
  defineEndpoint({
    method: 'patch', path: '/users/:id', access,
    summary: 'Change somebody\'s role, or shut them out.',
    body: UserChange, response: User, problems: ['last_admin'],
    handle: ({ params, body, request }) => changeUser(services, { clinic_id: clinicOf(request), id: params.id!, change: body })
  })
]

async function addUser(services: Services, input: z.infer<typeof NewUser> & { clinic_id: string }, request_id: string) {
  const { id } = await createUser(services, input, { by: 'clinic' })
  const user = await getUser(services.db, { clinic_id: input.clinic_id, id })
  if (user.invited) {
    // The account stands whether or not the mail server answers; a new invitation is a password reset away.
    await sendInvitation(services, { user_id: id, clinic_id: input.clinic_id })
      .catch(error => services.log.error('mail.failed', { request_id, error }))
  }
  return user
}
