import { sql } from 'drizzle-orm'
import type { Ctx, Db } from '@svc/kit'
import { rowsOf } from './db/rows.ts'

export function createUsers(db: Db): Ctx['users'] {
  return {
    /** Unknown ids are left out. */
    async names(ids, tx = db) {
      if (ids.length === 0) return new Map()
      const rows = await rowsOf<{ id: string, name: string }>(tx, sql`
        select id::text, first_name || ' ' || last_name as name from core_user
        where id = any(array(select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb)))`)
      return new Map(rows.map(row => [row.id, row.name]))
    },
    async email(clinic_id, id) {
      const [row] = await rowsOf<{ email: string }>(db, sql`
        select email from core_user join core_membership on user_id = core_user.id
        where core_user.id = ${id}::uuid and clinic_id = ${clinic_id}::uuid and active`)
      return row?.email ?? null
    }
  }
}
