import { defineEndpoint } from '@svc/kit'
import * as z from 'zod'
import { selectCategories } from '#catalog/server/db/treatments.ts'
import { Category } from '#catalog/shared/contract.ts'

export default defineEndpoint({
  access: { permission: 'catalog.read' },
  summary: 'List the categories of treatments, with their names in several languages.',
  response: z.array(Category),
  handle: (_, ctx) => selectCategories(ctx.db)
})
