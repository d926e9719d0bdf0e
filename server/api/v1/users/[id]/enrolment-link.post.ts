import { linkForMember } from '#host/server/core/people/factors/enrolment-link.ts'
import { linkTo } from '#host/server/core/people/mail/mails.ts'
import { clinicOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { EnrolmentLink } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'users.manage' },
  summary: 'Make a link to hand over to another member, who can then add a first second factor. It works for an hour.',
  response: EnrolmentLink,
  shown_once: ['url'],
  status: 201,
  problems: ['wrong_state', 'factor_operator_only'],
  async handle({ params, request }, host) {
    const { actor, client } = request
    const token = await linkForMember(host, { clinic_id: clinicOf(request), id: params.id!, actor, client })
    return { url: linkTo(host.config.base_url, 'enrolment', token) }
  }
})
