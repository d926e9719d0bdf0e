import { defineEndpoint } from '@svc/kit'
import { turnOn } from '#sms/server/services/turn-channel.ts'
import { ChannelRequest } from '#sms/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'sms.write' },
  summary: 'Turn a channel on for a patient’s number.',
  body: ChannelRequest,
  problems: ['no_mobile_number'],
  handle: ({ params: { id = '' }, body: { channel }, request: { actor, client } }, ctx) =>
    turnOn(ctx, { clinic_id: actor.clinic_id, id, channel, who: { actor, client } })
})
