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

describe('before the code: unknown link, then locked, then the code form', () => {
  test.each<[string, PageFacts, string]>([
    ['a link that nobody minted, or that was revoked', facts({ link: 'unknown' }), 'unknown'],
    ['an unknown link wins over a lock', facts({ link: 'unknown', locked: true }), 'unknown'],
    ['a server that has not answered yet', facts({ link: 'unreachable' }), 'unavailable'],
    ['a lock', facts({ locked: true }), 'locked'],
    ['nothing in the way', facts(), 'code'],
    ['a session that ended in the middle of a decision', facts({ step: 'accepting' }), 'code']
  ])('%s', (_, given, state) => expect(pageState(given)).toBe(state))
})

describe('with a session: decided, superseded or cancelled, expired, open, deciding, done', () => {
  test.each<[string, PageFacts, string]>([
    ['accepted', opened('accepted'), 'decided'],
    ['rejected', opened('rejected'), 'decided'],
    ['decided wins over a validity that has passed meanwhile', opened('accepted', {}, true), 'decided'],
    ['decided wins over a form that is still open', opened('rejected', { step: 'accepting' }), 'decided'],
    ['decided on this page', opened('accepted', { decided_here: true, step: 'accepting' }), 'done'],
    ['superseded', opened('superseded'), 'superseded'],
    ['superseded wins over expired', opened('superseded', {}, true), 'superseded'],
    ['cancelled', opened('cancelled', { step: 'rejecting' }), 'cancelled'],
    ['expired', opened('expired'), 'expired'],
    ['refused as expired, whatever the status still says', opened('sent', { step: 'accepting' }, true), 'expired'],
    ['open', opened('sent'), 'open'],
    ['accepting', opened('sent', { step: 'accepting' }), 'accepting'],
    ['rejecting', opened('sent', { step: 'rejecting' }), 'rejecting'],
    ['a lock does not end a session', opened('sent', { locked: true }), 'open'],
    ['a link revoked during the session', opened('sent', { link: 'unknown' }), 'unknown'],
    ['a server that stopped answering takes nothing away', opened('sent', { link: 'unreachable' }), 'open'],
    ['a confirmation never outlives what the server says now', opened('sent', { decided_here: true }), 'open']
  ])('%s', (_, given, state) => expect(pageState(given)).toBe(state))
})
