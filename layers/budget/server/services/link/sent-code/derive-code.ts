import type { Ctx } from '@svc/kit'

const PURPOSE = 'budget.sent-code'
const DIGITS = 6
/** Bytes of the MAC: enough to make all codes practically equally likely. */
const BYTES = 6

/**
 * The six digits of one message, the same in each attempt, so that only their hash is stored. One result for each
 * secret that may have been in use, the current one first.
 */
export const codesOfMessage = ({ secrets }: Pick<Ctx, 'secrets'>, message_id: string): string[] =>
  secrets.macs(PURPOSE, message_id).map(mac => String(mac.readUIntBE(0, BYTES) % 10 ** DIGITS).padStart(DIGITS, '0'))

/** The digits whose hash is stored; null if the secret or the row has changed since. */
export async function findCode(
  ctx: Pick<Ctx, 'secrets'>,
  { message_id, code_hash }: { message_id: string, code_hash: string }
): Promise<string | null> {
  for (const code of codesOfMessage(ctx, message_id)) {
    if (await ctx.secrets.verify(code, code_hash)) return code
  }
  return null
}
