import { defineConfig } from 'drizzle-kit'

/** `npm run db:generate -- core|clinical|…`: the up file of one branch; its down is written by hand beside it. */
const branch = process.env.BRANCH ?? 'core'

export default defineConfig({
  dialect: 'postgresql',
  schema: branch === 'core' ? './server/core/db/schema.ts' : `./layers/${branch}/server/db/schema.ts`,
  out: branch === 'core' ? './drizzle' : `./layers/${branch}/migrations`
})
