import { page } from '@svc/kit'
import * as z from 'zod'
import { listUsers } from '#host/server/core/people/accounts/users.ts'
import { clinicOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { User, UserQuery } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'users.manage' },
  summary: 'List the members of the clinic.',
  query: UserQuery,
  response: z.array(User),
  async handle({ query, request }, host) {
    const { rows, total } = await listUsers(host.db, clinicOf(request), {
      ...query,
      active: query.active && query.active === 'true'
    })
    return page(rows, { total, page: query.page, page_size: query.page_size })
  }
})
