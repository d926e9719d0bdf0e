import { readFileSync } from 'node:fs'
import { defineEventHandler, getCookie, setResponseHeader } from 'h3'
import { hashOf, sql } from '../../parts.ts'

const body = process.env.VIEW_BODY ? readFileSync(process.env.VIEW_BODY) : ''

/** One SELECT of the session, one of the budget with its lines, and the bytes that the product sends. */
export default defineEventHandler(async (event) => {
  const [session] = await sql`
    select budget_id from budget_session
    where session_hash = ${hashOf(getCookie(event, 'budget_session') ?? '')} and ended_at is null
      and last_used_at > now() - interval '30 minutes' and created_at > now() - interval '2 hours'`
  const [budget] = session
    ? await sql`
    select *, (select json_agg(item order by position) from budget_item as item where item.budget_id = budget.id) as items
    from budget where id = ${session.budget_id}`
    : []
  if (!budget) throw new Error('the budget is not there')
  setResponseHeader(event, 'content-type', 'application/json')
  return body
})
