import type { ChannelState, Ctx, Recipient } from '@svc/kit'
import type { Patient } from '@svc/kit/modules/clinical'

/** In a budget's row, the link that staff hand over themselves. */
export const MANUAL = 'manual'

/** Texts of channels in problems, like those of all problems. */
const LOCALE = 'en'

interface MessageRecipient { clinic_id: string, patient: Patient | null, locale?: string }

const recipientOf = (clinic_id: string, { id, email, phone, locale }: Patient): Recipient =>
  ({ clinic_id, id, email, phone, locale })

const queryOf = ({ clinic_id, patient, locale = LOCALE }: MessageRecipient) =>
  ({ clinic_id, locale, recipient: patient && recipientOf(clinic_id, patient) })

/** A registered channel, and the patient's address on it. Null if no running module has it. */
export const findChannel = (ctx: Ctx, name: string, whom: MessageRecipient): Promise<ChannelState | null> =>
  ctx.channels.find(name, queryOf(whom))

export const listChannels = (ctx: Ctx, whom: MessageRecipient): Promise<ChannelState[]> =>
  ctx.channels.list(queryOf(whom))
