import { defineEndpoint, reply, type ModuleRequest } from '@svc/kit'
import * as z from 'zod'
import {
  AskedMembership, ChangePasswordRequest, LoggedIn, LogInRequest, Me, MembershipAnswer, MembershipRequest, PasswordResetRequest,
  SetPasswordRequest, SwitchClinicRequest
} from '../../../shared/contract.ts'
import { changePassword } from '../auth/change-password.ts'
import type { CoreActor } from '../auth/find-actor.ts'
import { logIn } from '../auth/log-in.ts'
import { setPasswordByMail } from '../auth/mailed-tokens.ts'
import { takeResetMail } from '../auth/mail-limits.ts'
import { sendPasswordReset } from '../auth/mails.ts'
import { accentOf, describeMe, userOf } from '../auth/me.ts'
import { answerByMail, answerSignedIn, listAsked } from '../auth/memberships.ts'
import { endSession, noSessionCookie, sessionCookie } from '../auth/sessions.ts'
import { switchClinic } from '../auth/switch-clinic.ts'
import type { CoreEndpoint } from '../http/pipeline.ts'
import type { Services } from '../services.ts'

const actorOf = (request: ModuleRequest) => request.actor as CoreActor
const personOf = (request: ModuleRequest) => ({ user_id: userOf(actorOf(request)), clinic_id: actorOf(request).clinic_id })

export const authEndpoints = (services: Services): CoreEndpoint[] => [
  ...sessionEndpoints(services), ...passwordEndpoints(services), ...membershipEndpoints(services)
]

const sessionEndpoints = (services: Services): CoreEndpoint[] => [
  defineEndpoint({
    method: 'post', path: '/auth/login', access: 'none',
    summary: 'Log in: a bearer token, and the same as a cookie.',
    body: LogInRequest, response: LoggedIn, problems: ['bad_credentials'],
    async handle({ body, request }) {
      const { secret, expires_at, device } = await logIn(services, { ...body, client: request.client, cookies: request.cookies })
      return reply({ data: { access_token: secret, token_type: 'bearer', expires_at }, cookies: [sessionCookie(secret), device] })
    }
  }),
  defineEndpoint({
    method: 'post', path: '/auth/logout', access: 'session',
    summary: 'End this session on the server.',
    async handle({ request }) {
      userOf(actorOf(request))
      await endSession(services.db, actorOf(request).session!.hash)
      return reply({ status: 204, cookies: [noSessionCookie()] })
    }
  }),
  {
    ...defineEndpoint({
      method: 'get', path: '/me', access: 'session',
      summary: 'Who the caller is, and what they may do.',
      response: Me,
      async handle({ request }) {
        const [data, accent] = await Promise.all([describeMe(services, personOf(request)), accentOf(services.db, personOf(request).clinic_id)])
        return reply({ data, headers: accent ? { 'accent-color': accent } : {} })
      }
    }),
    addresses: ['/me', '/api/v1/me']
  },
  defineEndpoint({
    method: 'post', path: '/auth/switch-clinic', access: 'session',
    summary: 'Go on in another clinic. A browser gets a new session.',
    body: SwitchClinicRequest, response: Me, problems: ['not_found'],
    async handle({ body, request }) {
      const session = await switchClinic(services, { actor: actorOf(request), clinic_id: body.clinic_id })
      const data = await describeMe(services, { ...personOf(request), clinic_id: body.clinic_id })
      return reply({ data, cookies: session ? [sessionCookie(session.secret)] : [] })
    }
  })
]

const passwordEndpoints = (services: Services): CoreEndpoint[] => [
  defineEndpoint({
    method: 'post', path: '/auth/password', access: 'session',
    summary: 'Change the own password; other sessions end.',
    limit: { name: 'password', points: 5, seconds: 60, by: request => request.actor?.user_id ?? 'token', counts: 'requests' },
    body: ChangePasswordRequest, problems: ['wrong_password'],
    handle: ({ body, request }) => changePassword(services, { actor: actorOf(request), current: body.current, next: body.new })
  }),
  defineEndpoint({
    method: 'post', path: '/auth/invitation', access: 'none',
    summary: 'Take an invitation: the mailed token and the password that is to be.',
    body: SetPasswordRequest, problems: ['mailed_token_not_found', 'account_known'],
    handle: async ({ body }) => reply({ status: 204, cookies: [await setPasswordByMail(services, { purpose: 'invitation', ...body })] })
  }),
  defineEndpoint({
    method: 'post', path: '/auth/password-reset', access: 'none',
    summary: 'With an e-mail address: mail a link to it, if it is known. With the mailed token: set a new password.',
    limit: { name: 'password-reset', points: 20, seconds: 3600, by: 'address', counts: 'requests' },
    body: PasswordResetRequest, problems: ['mailed_token_not_found', 'too_many_requests'],
    async handle({ body, request }) {
      if ('token' in body) return reply({ status: 204, cookies: [await setPasswordByMail(services, { purpose: 'password_reset', ...body })] })
      await takeResetMail(services, body.email)
      // Not awaited: the time that it takes would show whether the address is known.
      void sendPasswordReset(services, body.email).catch(error => services.log.error('mail.failed', { request_id: request.id, error }))
    }
  })
]

const membershipEndpoints = (services: Services): CoreEndpoint[] => [
  defineEndpoint({
    method: 'post', path: '/auth/membership', access: 'none',
    summary: 'With the token that was mailed to the holder of an account: which clinic asks; with `accept` the answer to it.',
    body: MembershipRequest, response: AskedMembership, problems: ['mailed_token_not_found'],
    handle: ({ body }) => answerByMail(services, body)
  }),
  defineEndpoint({
    method: 'get', path: '/auth/memberships', access: 'session',
    summary: 'Clinics that wait for the caller\'s answer.',
    response: z.array(AskedMembership),
    handle: ({ request }) => listAsked(services, { user_id: userOf(actorOf(request)) })
  }),
  defineEndpoint({
    method: 'post', path: '/auth/memberships/:id', access: 'session',
    summary: 'Accept or decline what a clinic asks.',
    body: MembershipAnswer, response: AskedMembership, problems: ['not_found', 'account_unproven'],
    handle: ({ params, body, request }) => answerSignedIn(services, { user_id: userOf(actorOf(request)), clinic_id: params.id!, ...body })
  })
]
