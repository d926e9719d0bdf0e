import { defineEndpoint, page, type StaffRequest } from '@svc/kit'
import * as z from 'zod'
import { AddedUser, Invitation, NewUser, User, UserChange, UserQuery } from '../../../shared/contract.ts'
import { createUser } from '../auth/create-user.ts'
import { inviteAgain } from '../auth/invite-again.ts'
import { invite } from '../auth/invite.ts'
import { takeInvitationMail } from '../auth/mail-limits.ts'
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
    summary: 'Add a member to the clinic. Without a password an invitation is mailed; where no mail left, the answer has its link. The holder of an account is asked by mail, and is no member before they agree.',
    body: NewUser, response: AddedUser, status: 201, problems: ['user_exists', 'too_many_requests'],
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
    summary: 'Change a member\'s role, or deactivate them.',
    body: UserChange, response: User, problems: ['last_admin'],
    handle: ({ params, body, request }) => changeUser(services, { clinic_id: clinicOf(request), id: params.id!, change: body })
  }),
  defineEndpoint({
    method: 'post', path: '/users/:id/invitation', access,
    summary: 'Invite a person again who has not signed in yet: the link of before ends.',
    response: Invitation, problems: ['wrong_state', 'too_many_requests'],
    handle: ({ params, request }) => inviteAgain(services, { clinic_id: clinicOf(request), id: params.id!, request_id: request.id })
  })
]

/** Answers alike for known and unknown addresses, and takes as long. */
async function addUser(services: Services, input: z.infer<typeof NewUser> & { clinic_id: string }, request_id: string) {
  const { clinic_id, email } = input
  const mayMail = await takeInvitationMail(services, { clinic_id, email })
  const { id, created } = await createUser(services, input, { by: 'clinic' })
  const user = await getUser(services.db, { clinic_id, id })
  const invited = { user_id: id, clinic_id, request_id, mayMail }
  if (input.password === undefined) return { ...user, invitation: await invite(services, invited) }
  // A new person has the password from the clinic. Not awaited: the time for a mail would show that the address is known.
  if (!created) void invite(services, invited).catch(error => services.log.error('mail.failed', { request_id, error }))
  return { ...user, invitation: null }
}
