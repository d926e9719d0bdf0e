import { expect, test } from 'vitest'
import { toDatabaseProblem } from '../../../server/core/http/database-problems.ts'

test('a transaction that PostgreSQL ended because of a deadlock can be repeated, and the log has its cause', () => {
  const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01', query: 'select 1' })
  const error = new Error('the module deposits could not erase the person\'s data', { cause: deadlock })
  const shown = toDatabaseProblem(error, {})
  expect(shown).toMatchObject({ code: 'busy', fields: { retry_after: 1 } })
  expect(shown!.cause).toBe(error)
})
