import { expect, test } from 'vitest'
import { createNames } from '../../../server/core/http/openapi/openapi-names.ts'

const PLACES = [
  ['get', '/api/v1/budget/budgets', 'budget', 'Budgets', 'List'],
  ['post', '/api/v1/budget/budgets', 'budget', 'Budgets', 'Create'],
  ['get', '/api/v1/budget/budgets/:id', 'budget', 'Budgets', 'Get'],
  ['patch', '/api/v1/budget/budgets/:id', 'budget', 'Budgets', 'Change'],
  ['post', '/api/v1/budget/budgets/:id/set-public-code', 'budget', 'Budgets', 'Set public code'],
  ['get', '/api/v1/budget/budgets/:id/pdf/signed', 'budget', 'Budgets', 'Get PDF signed'],
  ['get', '/api/v1/budget/attention', 'budget', 'Budget', 'Get attention'],
  ['post', '/api/v1/public/budgets/:token/accept', 'budget', 'Public budgets', 'Accept'],
  ['get', '/api/v1/public/budgets/:token', 'budget', 'Public budgets', 'Get'],
  ['post', '/api/v1/billing/invoices/:id/payments/:payment_id/reverse', 'billing', 'Invoices', 'Payments reverse'],
  ['get', '/api/v1/reports/acceptance', 'reports', 'Reports', 'Get acceptance'],
  ['post', '/api/v1/auth/login', null, 'Auth', 'Login'],
  ['get', '/api/v1/modules/-/doctor', null, 'Modules', 'Get doctor'],
  ['post', '/api/v1/modules/:name/install', null, 'Modules', 'Install'],
  ['get', '/me', null, 'Service', 'Get me'],
  ['patch', '/api/v1/me', null, 'Service', 'Change me'],
  ['get', '/api/v1/openapi.json', null, 'Service', 'Get openapi.json'],
  ['get', '/api/v1/users', null, 'Users', 'List'],
  ['get', '/api/v1/users/:id', null, 'Users', 'Get']
] as const
const nameOf = createNames(PLACES.map(([method, path, module]) => ({ method, path, module })))

test.each(PLACES)('the operation %s %s of %s is listed under "%s" as "%s"', (method, path, module, tag, name) => {
  expect(nameOf({ method, path, module })).toEqual({ tag, name })
})
