import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { defineEventHandler, getCookie, getRouterParam, setResponseHeader } from 'h3'
import { hashOf, sql } from '../../parts.ts'

/** One SELECT, one committed INSERT, one SHA-256, the file. */
export default defineEventHandler(async (event) => {
  const [budget] = await sql`
    select budget.id, budget.signed_pdf_key, budget.signed_pdf_sha256
    from budget_link as link join budget on budget.id = link.budget_id
         join budget_session as session on session.budget_id = budget.id and session.session_hash = ${hashOf(getCookie(event, 'budget_session') ?? '')}
    where link.token_hash = ${hashOf(getRouterParam(event, 'token')!)}`
  const bytes = await readFile(`${process.env.SVC_STORAGE}/documents/${budget!.signed_pdf_key}`)
  if (createHash('sha256').update(bytes).digest('hex') !== budget!.signed_pdf_sha256)
    throw new Error('the file was changed')
  await sql`insert into bench_download (id, budget_id, at, hash) values (${randomUUID()}, ${budget!.id}, now(), ${hashOf(budget!.id)})`
  setResponseHeader(event, 'content-type', 'application/pdf')
  return bytes
})
