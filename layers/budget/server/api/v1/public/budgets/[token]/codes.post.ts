import { defineEndpoint, type ModuleRequest, reply } from '@svc/kit'
import { codes, knownLink } from '#budget/server/http/patient.ts'
import type { FoundLink } from '#budget/server/db/links.ts'
import { sendCode } from '#budget/server/services/link/sent-code/send-code.ts'
import { SendCodeAnswer, SendCodeRequest } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: knownLink,
  limit: codes,
  summary: 'Send the patient a code by the clinic’s channel. It is valid for ten minutes, and once.',
  body: SendCodeRequest,
  response: SendCodeAnswer,
  status: 202,
  problems: ['link_not_found', 'link_locked', 'same_channel', 'code_unavailable'],
  async handle({ body, request }, ctx) {
    const { session: found, client } = request as ModuleRequest<FoundLink>
    return reply({ status: 202, data: await sendCode(ctx, { found, channel: body.channel, client }) })
  }
})
