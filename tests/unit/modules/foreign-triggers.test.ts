import { expect, test } from 'vitest'
import { withoutForeignTriggers } from '../../../server/core/modules/foreign-triggers.ts'

test('a migration that runs separately does not change tables of other modules', () => {
  const own = 'CREATE TRIGGER "a" BEFORE UPDATE OF x, y ON "public"."mine" FOR EACH ROW EXECUTE FUNCTION f();'
  const foreign = 'create constraint trigger b after insert on budget deferrable for each row execute procedure f();'
  const dropped = 'drop trigger if exists b on public.budget;'
  const rest = 'create table mine (x int);'
  expect(withoutForeignTriggers(`${rest}\n${own}\n${foreign}\n${dropped}`, ['mine']).trim()).toBe(`${rest}\n${own.slice(0, -1)};`)
  expect(withoutForeignTriggers('create trigger b after insert on budget execute function f()', ['mine'])).toBe('')
})
