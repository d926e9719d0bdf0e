import { defineEndpoint, reply } from '@svc/kit'
import { linkMeta } from '#budget/server/services/link/link-meta.ts'
import { LinkMeta } from '#budget/shared/contract.ts'

export default defineEndpoint({
  access: 'none',
  summary: 'Get what anyone with the link may know: the clinic, and whether the link is open, locked or closed.',
  response: LinkMeta,
  problems: ['link_not_found'],
  async handle({ params }, ctx) {
    const { meta, accent_color } = await linkMeta(ctx, { token: params.token! })
    return reply({ data: meta, headers: accent_color ? { 'accent-color': accent_color } : {} })
  }
})
