import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { MailState } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'clinic.manage' },
  summary: 'How email leaves this instance: by a mail server, or as files for want of one.',
  response: MailState,
  handle: (_, { config }) =>
    config.smtp_url ? { via: 'smtp' as const, from: config.mail_from } : { via: 'file' as const, from: null }
})
