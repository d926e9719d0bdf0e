import { defineEndpoint } from '@svc/kit'
import { turnOff } from '#sms/server/services/turn-channel.ts'
import { ChannelRequest } from '#sms/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'sms.write' },
  summary: 'Turn a channel off for a patient’s number.',
  body: ChannelRequest,
  problems: ['no_mobile_number'],
  handle: ({ params: { id = '' }, body: { channel }, request: { actor, client } }, ctx) =>
    turnOff(ctx, { clinic_id: actor.clinic_id, id, channel, who: { actor, client } })
})
