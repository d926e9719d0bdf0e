import { randomUUID } from 'node:crypto'
import { isId, isProblem, problem, type Ctx, type Tx } from '@svc/kit'
import { writeEmail } from '@svc/kit/email'
import { displayMoney } from '@svc/kit/money'
import { isPayable } from '../../../shared/domain/request-state.ts'
import { findRequest, findRequestLocked, updateRequest, type RequestKey, type StoredRequest } from '../../db/requests.ts'
import { displayDay } from '../patient/show-deposit.ts'
import { textsIn } from '../patient/texts.ts'
import { fitToDue } from '../requests/fit-to-due.ts'
import { payPath } from '../token.ts'

/** Queues the email with the link. */
export async function queueLink(ctx: Ctx, tx: Tx, { id, clinic_id }: StoredRequest): Promise<void> {
  await updateRequest(tx, id, { mailed_at: await ctx.clock.now(tx), mail_error: null })
  await ctx.jobs.add(tx, 'mail_link', { request_id: id, clinic_id, message_id: randomUUID() }, { key: id })
}

/** The staff send the link again. Throws `not_found`, `request_closed`. */
export async function mailAgain(ctx: Ctx, key: RequestKey): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const request = isId(key.id) ? await findRequestLocked(tx, key) : null
    if (!request) throw problem('not_found')
    if (!isPayable(request.state)) throw problem('request_closed')
    await queueLink(ctx, tx, request)
  })
}

/** Sends the email of a request that can still be paid. It names no person and no treatment. */
export async function mailLink(
  ctx: Ctx,
  { request_id, clinic_id, message_id }: { request_id: string, clinic_id: string, message_id: string }
): Promise<void> {
  const found = await findRequest(ctx.db, { clinic_id, id: request_id })
  const request = found && await fitToDue(ctx, found)
  if (!request || !isPayable(request.state)) return
  const patient = await ctx.use('clinical').getPatient(clinic_id, request.patient_id)
  if (!patient?.email) return await noteError(ctx, request_id, 'no_address')
  const clinic = await ctx.clinics.get(clinic_id)
  const { locale, currency, amount, due_on } = request
  const { mail } = textsIn(locale)
  const number = request.invoice_number ?? request.budget_number
  const money = displayMoney(amount, currency, locale)
  try {
    await ctx.mail.send({
      id: message_id,
      to: patient.email,
      subject: mail.subject({ clinic: clinic.name, number }),
      ...clinic.email === null ? {} : { reply_to: clinic.email },
      ...writeEmail({
        locale,
        sender: { name: clinic.name, accent_color: clinic.accent_color },
        before: [mail.hello({ clinic: clinic.name, number, amount: money, due: displayDay(due_on, locale) })],
        button: { label: mail.button(money), url: `${ctx.base_url}${payPath(ctx, request)}` },
        after: [clinic.phone],
        fallback: mail.fallback
      })
    })
  } catch (error) {
    if (!isProblem(error) || error.code !== 'undeliverable') throw error
    await noteError(ctx, request_id, 'undeliverable')
  }
}

async function noteError(ctx: Ctx, id: string, mail_error: string): Promise<void> {
  await ctx.db.transaction(tx => updateRequest(tx, id, { mail_error }))
}
