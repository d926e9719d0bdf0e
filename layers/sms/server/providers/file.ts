import type { Provider } from './provider.ts'

/** Without a provider, messages are files of the instance, as mail is without a mail server. */
export const file: Provider = {
  via: 'file',
  missing: (_settings, channel) => channel === 'whatsapp' ? 'no_whatsapp' : null,
  /** A file is written again under the same name. */
  canFind: () => true,
  async send(ctx, _settings, { id, to, text }) {
    await ctx.outbox.write({ id, to, text })
    return { ref: null }
  },
  test: async () => ({ ok: true, code: 'file', detail: null })
}
