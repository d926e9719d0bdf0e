import { expect, test } from 'vitest'
import { mayWrite, waitsForStandby } from '../../../server/core/db/split-commits.ts'

test.each([
  ['select 1', false],
  ['\n    SELECT * from budget for update', false],
  ['with a as (select 1) select * from a', false],
  ['show server_version', false],
  ['select count(pg_notify(\'svc_work\', \'\')) from a', true],
  ['select set_config(\'synchronous_commit\', \'off\', true), pg_notify(\'svc_work\', \'\')', false],
  ['insert into a values (1)', true],
  ['with head as (update a set b = 1 returning id) insert into c select * from head', true],
  ['delete from a', true],
  ['(select 1)', true],
  ['update a set b = 1 returning set_config(\'synchronous_commit\', \'local\', true)', false]
])('the statement %s can wait for a standby: %s', (text, waits) => {
  expect(waitsForStandby(text)).toBe(waits)
})

test.each([
  ['select * from a for update', false],
  ['set transaction isolation level repeatable read', false],
  ['lock table a', false],
  ['select count(pg_notify(\'svc_work\', \'\')) from a', true],
  ['merge into a using b on true when matched then do nothing', true],
  ['call a()', true]
])('the statement %s of a transaction can write: %s', (text, writes) => {
  expect(mayWrite(text)).toBe(writes)
})
