import { defineConfig } from 'drizzle-kit'

/**
 * `BRANCH=clinical npm run db:generate -- --name what`: the up file of one branch. Its down is written by hand beside
 * it. It is compared with the newest snapshot in `meta`; remove the one before, which nothing reads.
 */
const branch = process.env.BRANCH ?? 'core'

export default defineConfig({
  dialect: 'postgresql',
  schema: branch === 'core' ? './server/core/db/schema.ts' : `./layers/${branch}/server/db/schema.ts`,
  out: branch === 'core' ? './drizzle' : `./layers/${branch}/migrations`
})
