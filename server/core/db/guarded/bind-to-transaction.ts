import type { Ctx, Tx } from '@svc/kit'
import { assertCallsAllowed } from './outgoing-calls.ts'

/**
 * The context of a module that runs in the transaction of another one. Clinics and users are read through the
 * transaction, because another connection could wait for the row that it has locked.
 */
export function bindToTransaction({ clinics, users }: Pick<Ctx, 'clinics' | 'users'>, ctx: Ctx, inner: Tx): Ctx {
  return {
    ...ctx,
    clinics: { ...clinics, get: (id, tx = inner) => clinics.get(id, tx) },
    users: { ...users, names: (ids, tx = inner) => users.names(ids, tx) },
    mail: {
      // Without a mail server, messages are files, which no rollback removes.
      async send(message) {
        assertCallsAllowed()
        return await ctx.mail.send(message)
      }
    }
  }
}
