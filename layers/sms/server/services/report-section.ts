import type { Ctx, StaffSection } from '@svc/kit'
import { displayLocale } from '@svc/kit/locale'
import { displayPrice } from '../../shared/domain/price.ts'
import { refusedIn } from '../db/days.ts'
import { sumByKind, sumPrices } from '../db/messages.ts'
import { LABELS } from '../texts.ts'
import { reportTextsIn } from './report-texts.ts'

interface At { clinic_id: string, from: string, to: string, locale: string }

/** Counts, parts and costs of the period, for the page of the clinic's reports. None without messages. */
export async function reportSection(ctx: Ctx, { locale, ...period }: At): Promise<StaffSection[]> {
  const [rows, prices, refused] = [
    await sumByKind(ctx.db, period), await sumPrices(ctx.db, period), await refusedIn(ctx.db, period)
  ]
  if (rows.length === 0 && refused === 0) return []
  const words = reportTextsIn(locale)
  const number = (n: number) => new Intl.NumberFormat(displayLocale(locale)).format(n)
  const sum = (field: 'sent' | 'delivered' | 'failed' | 'parts') => rows.reduce((total, row) => total + row[field], 0)
  const labelOf = (channel: keyof typeof LABELS) => {
    const label: string | Record<string, string> = LABELS[channel]
    return typeof label === 'string' ? label : label[locale.split('-')[0]!] ?? label.en!
  }
  return [{
    id: 'messages',
    title: words.title,
    text: words.text,
    facts: [
      [words.sent, number(sum('sent'))],
      [words.delivered, number(sum('delivered'))],
      [words.failed, number(sum('failed'))],
      [words.parts, number(sum('parts'))],
      ...refused > 0 ? [[words.refused, number(refused)] as [string, string]] : [],
      ...prices.slice(0, 3).map(({ currency, price, priced }): [string, string] =>
        [words.cost, `${displayPrice(BigInt(price), currency, locale)} (${words.priced(number(priced))})`])
    ],
    table: {
      columns: [
        words.channel,
        words.kind,
        ...[words.sent, words.delivered, words.failed, words.parts].map(label => ({ label, end: true }))
      ],
      rows: rows.map(({ channel, kind, sent, delivered, failed, parts }) =>
        [labelOf(channel), words.kinds[kind] ?? kind, number(sent), number(delivered), number(failed), number(parts)])
    }
  }]
}
