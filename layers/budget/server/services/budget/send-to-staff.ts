import type { Ctx, MailMessage } from '@svc/kit'
import { classifyFailure } from '../../../shared/domain/delivery-error.ts'

/** If one address is permanently refused, the message goes to the other one, if there is one. */
export async function sendToStaff(
  ctx: Ctx,
  message: MailMessage,
  instead: { to: string | null, budget_id: string }
): Promise<void> {
  try {
    await ctx.mail.send(message)
  } catch (error) {
    if (classifyFailure(error).code !== 'address_refused' || !instead.to || isSameAddress(instead.to, message.to))
      throw error
    ctx.log.warn('notice.address_refused', { budget_id: instead.budget_id, error })
    await ctx.mail.send({ ...message, to: instead.to })
  }
}

const isSameAddress = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
