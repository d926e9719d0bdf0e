import { describe, expect, test } from 'vitest'
import { pageState, type PageFacts } from '../../../layers/budget/app/utils/page-state.ts'

type Status = NonNullable<PageFacts['budget']>['status']

const facts = (given: Partial<PageFacts> = {}): PageFacts => ({
  link: 'known',
  locked: false,
  budget: null,
  step: 'reading',
  decided_here: false,
  ...given
})
const opened = (status: Status, given: Partial<PageFacts> = {}, over = false) =>
  facts({ budget: { status, over }, ...given })

describe('before the code the page shows the unknown link, then the lock, then the code form:', () => {
  test.each<[string, PageFacts, string]>([
    ['an unknown or revoked link', facts({ link: 'unknown' }), 'unknown'],
    ['an unknown link that is also locked', facts({ link: 'unknown', locked: true }), 'unknown'],
    ['a server that has not answered yet', facts({ link: 'unreachable' }), 'unavailable'],
    ['a lock', facts({ locked: true }), 'locked'],
    ['a link without obstacles', facts(), 'code'],
    ['a session that ended in the middle of a decision', facts({ step: 'accepting' }), 'code']
  ])('%s', (_, given, state) => expect(pageState(given)).toBe(state))
})

describe('with a session the page shows decided, superseded or cancelled, expired, open, deciding or done:', () => {
  test.each<[string, PageFacts, string]>([
    ['an accepted budget', opened('accepted'), 'decided'],
    ['a rejected budget', opened('rejected'), 'decided'],
    ['a decided budget whose validity has passed in the meantime', opened('accepted', {}, true), 'decided'],
    ['a decided budget while a form is still open', opened('rejected', { step: 'accepting' }), 'decided'],
    ['a budget that was decided on this page', opened('accepted', { decided_here: true, step: 'accepting' }), 'done'],
    ['a superseded budget', opened('superseded'), 'superseded'],
    ['a superseded budget that has expired', opened('superseded', {}, true), 'superseded'],
    ['a cancelled budget', opened('cancelled', { step: 'rejecting' }), 'cancelled'],
    ['an expired budget', opened('expired'), 'expired'],
    [
      'a budget that was refused as expired while its status is still open',
      opened('sent', { step: 'accepting' }, true),
      'expired'
    ],
    ['an open budget', opened('sent'), 'open'],
    ['a budget while it is being accepted', opened('sent', { step: 'accepting' }), 'accepting'],
    ['a budget while it is being rejected', opened('sent', { step: 'rejecting' }), 'rejecting'],
    ['a lock during a session, which continues', opened('sent', { locked: true }), 'open'],
    ['a link revoked during the session', opened('sent', { link: 'unknown' }), 'unknown'],
    [
      'a server that stopped answering during a session, which keeps the budget',
      opened('sent', { link: 'unreachable' }),
      'open'
    ],
    ['a confirmation that the server contradicts', opened('sent', { decided_here: true }), 'open']
  ])('%s', (_, given, state) => expect(pageState(given)).toBe(state))
})
