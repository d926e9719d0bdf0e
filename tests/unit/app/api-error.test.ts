import { expect, test } from 'vitest'
import { ApiError } from '../../../app/utils/api-error.ts'
import { textsOf, type Texts } from '../../support/texts.ts'

const spaces = ['i18n/staff', 'layers/budget/i18n/staff', 'layers/billing/i18n/staff'].map(folder =>
  textsOf(folder, 'en')
)
const textOf = (key: string) =>
  spaces
    .map(space =>
      key
        .split('.')
        .reduce<string | Texts | undefined>((at, part) => (typeof at === 'object' ? at[part] : undefined), space)
    )
    .find(text => typeof text === 'string')

const refused = (path: string) =>
  new ApiError({ type: '', title: '', status: 409, detail: 'In English.', code: 'wrong_state', request_id: '' }, path)
const told = (path: string) => refused(path).textKeys.map(textOf).find(text => text !== undefined)

test.each([
  ['a budget', '/api/v1/budget/budgets/1/cancel', /^The state of this budget has changed/],
  ['an invoice', '/api/v1/billing/invoices/1/payments', /^This invoice is now in another state/],
  ['a webhook', '/api/v1/webhooks/1/replay', /^Its state has changed/],
  ['a path outside of the modules', '/me', /^Its state has changed/]
])('an error caused by the state names the kind of record that was requested: %s', (_, path, text) => {
  expect(told(path)).toMatch(text)
})

test('an error without a request path has only the general text', () => {
  expect(refused('').textKeys).toEqual(['problem.wrong_state'])
  expect(refused('/api/v1/webhooks/1').textKeys).toEqual(['webhooks.problem.wrong_state', 'problem.wrong_state'])
})

test('an error raised by another module\'s check uses the text of that module, or the message of the server', () => {
  const problem = { type: '', title: '', status: 409, detail: 'Pay first.', request_id: '', module: 'deposits' }
  const keysOf = (code: string) => new ApiError({ ...problem, code }, '/api/v1/budget/budgets/1/send').textKeys
  expect(keysOf('wrong_state')).toEqual(['deposits.problem.wrong_state'])
  expect(keysOf('module_errored')).toEqual(['budget.problem.module_errored', 'problem.module_errored'])
})
