import { etagOf, reply, type Reply } from '@svc/kit'
import { editOf, type getWebhook } from './webhooks.ts'

export const answerWebhook = (webhook: Awaited<ReturnType<typeof getWebhook>>): Reply =>
  reply({ data: webhook, headers: { etag: etagOf(editOf(webhook)) } })
