import { defineEventHandler } from 'h3'
import { sql } from '../parts.ts'

export default defineEventHandler(async () => ({ ready: (await sql`select true as ready`)[0]!.ready }))
