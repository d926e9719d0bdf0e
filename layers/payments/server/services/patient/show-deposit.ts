import type { AskSections } from '@svc/kit'
import { displayLocale } from '@svc/kit/locale'
import type { PatientPageAt } from '@svc/kit/modules/budget'
import { displayMoney } from '@svc/kit/money'
import { isPayable } from '../../../shared/domain/request-state.ts'
import { findDeposit } from '../../db/requests.ts'
import { providerOf } from '../../providers/index.ts'
import { settingsOf } from '../../settings.ts'
import { fitToDue } from '../requests/fit-to-due.ts'
import { textsIn } from './texts.ts'
import { transferDetails } from './transfer-details.ts'

/** The deposit on the patient's page, from the acceptance on. The link works without a script. */
export const showDeposit: AskSections<PatientPageAt> = async (ctx, at) => {
  const { clinic_id, budget_id, state, locale, token_base } = at
  if (state !== 'accepted') return []
  const found = await findDeposit(ctx.db, { clinic_id, budget_id })
  if (!found) return []
  const request = await fitToDue(ctx, found)
  const { amount, currency, due_on, state: now } = request
  const texts = textsIn(locale)
  const money = displayMoney(amount, currency, locale)
  const facts: [string, string][] = [[texts.state, texts.states[now]], [texts.amount, money]]
  const section = { id: 'deposit', title: texts.deposit, facts }
  if (now === 'paid') return [{ ...section, text: texts.thanks }]
  if (!isPayable(now)) return [section]
  facts.push([texts.due, displayDay(due_on, locale)])
  const base = `${token_base}/x/payments/${request.id}`
  const settings = await settingsOf(ctx, clinic_id)
  const transfer = await transferDetails(ctx, request)
  if (transfer) {
    facts.push(
      [texts.account, groupIban(transfer.iban)],
      [texts.creditor, transfer.creditor],
      [texts.reference, transfer.reference]
    )
  }
  const provider = await providerOf(settings.provider)
  const canPay = provider.missing(settings).length === 0
  return [{
    ...section,
    ...transfer?.code ? { image: { src: `${base}/qr.svg`, alt: texts.qr, width: 200, height: 200 } } : {},
    ...canPay ? { actions: [{ label: texts.pay(money), href: `${base}/pay?locale=${locale}`, kind: 'primary' as const }] } : {}
  }]
}

export const displayDay = (day: string, locale: string): string =>
  new Intl.DateTimeFormat(displayLocale(locale), { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day))

/** As banks print it, in groups of four. */
const groupIban = (iban: string): string => iban.replace(/(.{4})(?=.)/g, '$1 ')
