import { resetFactorOfMember } from '#host/server/core/people/factors/reset-factor.ts'
import { notifyPerson } from '#host/server/core/people/mail/notices.ts'
import { clinicOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'

export default defineCoreEndpoint({
  access: { permission: 'users.manage' },
  summary: 'Remove another member\'s second factors, who lost theirs. They are signed out.',
  problems: ['wrong_state', 'factor_operator_only'],
  async handle({ params, request }, host) {
    const id = params.id!
    await resetFactorOfMember(host, { clinic_id: clinicOf(request), id, actor: request.actor, client: request.client })
    notifyPerson(host, { user_id: id, what: 'factor_removed', request_id: request.id })
  }
})
