import { expect, test } from 'vitest'
import { newsBetween, type News } from '../../../layers/budget/app/utils/budget-news.ts'

type Facts = Parameters<typeof newsBetween>[0]
type FactsInput = Partial<Omit<Facts, 'link' | 'signed_pdf'>> & {
  link?: Partial<Facts['link']>
  pdf?: Facts['signed_pdf']['status']
}

const facts = ({ link = {}, pdf = 'none', ...fields }: FactsInput = {}): Facts => ({
  status: 'sent',
  withdrawn_at: null,
  open_questions: 0,
  viewed_at: null,
  updated_at: '2026-11-20T10:00:00Z',
  ...fields,
  link: {
    state: 'active',
    url: null,
    short_url: null,
    has_code: true,
    failed_attempts: 0,
    locked: false,
    locked_until: null,
    channel: 'email',
    delivery: 'queued',
    delivered_via: null,
    delivered_at: null,
    delivery_error: null,
    delivery_error_code: null,
    delivery_reason: null,
    ...link
  },
  signed_pdf: { status: pdf, sha256: null }
})

test.each<[string, FactsInput, FactsInput, News[]]>([
  ['no change', {}, {}, []],
  ['a wrong code, which only the timeline shows', {}, { link: { failed_attempts: 1 } }, []],
  ['the patient opened the budget', {}, { viewed_at: '2026-11-20T10:01:00Z' }, ['viewed']],
  [
    'the patient accepted, without a second notice that it was opened',
    {},
    { status: 'accepted', viewed_at: '2026-11-20T10:01:00Z', pdf: 'pending' },
    ['accepted']
  ],
  [
    'the sealed copy is ready',
    { status: 'accepted', pdf: 'pending' },
    { status: 'accepted', pdf: 'ready' },
    ['pdf_ready']
  ],
  ['the link was locked', {}, { link: { locked: true, failed_attempts: 5 } }, ['locked']],
  ['the link was unlocked', { link: { locked: true } }, {}, ['unlocked']],
  ['the message was sent', {}, { link: { delivery: 'sent' } }, ['delivered']],
  ['the message was reported as delivered at once', {}, { link: { delivery: 'delivered' } }, ['delivered']],
  [
    'the message could not be sent without a mail server',
    {},
    { link: { delivery: 'sent', delivered_via: 'file' } },
    ['no_server']
  ],
  ['the message failed', {}, { link: { delivery: 'failed' } }, ['undelivered']],
  [
    'a colleague changed the draft',
    { status: 'draft' },
    { status: 'draft', updated_at: '2026-11-20T10:02:00Z' },
    ['changed']
  ],
  ['a colleague sent the draft', { status: 'draft' }, { status: 'sent', updated_at: '2026-11-20T10:02:00Z' }, ['sent']]
])('the page announces a change: %s', (_, before, after, news) =>
  expect(newsBetween(facts(before), facts(after))).toEqual(news))
