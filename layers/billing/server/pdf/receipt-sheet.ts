import { displayLocale } from '@svc/kit/locale'
import { displayMoney } from '@svc/kit/money'
import type { Fact, Sheet } from '@svc/sheet/sheet.ts'
import type { StoredAdvance } from '../db/advances.ts'
import { advanceStatus } from '../../shared/domain/advances.ts'
import { labelsFor } from './labels.ts'

interface Input {
  advance: StoredAdvance
  /** Of the text; one that can be drawn. */ locale: string
  time_zone: string
}

/** The contents of an advance's receipt, in plain values. Pure. */
export function receiptSheet({ advance, locale, time_zone }: Input): Sheet {
  const labels = labelsFor(locale)
  const shown = displayLocale(locale)
  const money = (minor: bigint) => displayMoney(minor, advance.currency, shown)
  const day = (at: Date, timeZone: string) => new Intl.DateTimeFormat(shown, { dateStyle: 'long', timeZone }).format(at)
  const { number, budget_number, amount, returned, reference } = advance
  const is_returned = advanceStatus(advance) === 'returned'
  return {
    language: locale,
    title: labels.receipt_title,
    state: null,
    number,
    below: labels.receipt_line(budget_number),
    banner: is_returned ? labels.receipt_returned_all : null,
    named: [
      [labels.patient, `${advance.patient_first_name} ${advance.patient_last_name}`],
      ...reference ? [[labels.receipt_reference, reference] satisfies Fact] : []
    ],
    short: [
      [labels.receipt_date, day(new Date(`${advance.issued_on}T00:00:00Z`), 'UTC')],
      [labels.receipt_paid_on, day(advance.paid_at, time_zone)]
    ],
    columns: [
      { title: labels.receipt_payment, kind: 'name' },
      { title: labels.receipt_method, kind: 'figure' },
      { title: labels.receipt_amount, kind: 'amount' }
    ],
    rows: [[labels.receipt_line(budget_number), labels.methods[advance.method], money(amount)]],
    sums: {
      above: [],
      total: [labels.receipt_total, money(amount)],
      below: returned > 0n ? [[labels.receipt_returned, money(returned)]] : [],
      remark: is_returned ? null : returned > 0n ? labels.receipt_remark_rest : labels.receipt_remark
    },
    notes: null,
    acceptance: null,
    page: labels.page,
    subject: number,
    dated_at: advance.issued_at
  }
}
