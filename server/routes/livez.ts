import { defineEventHandler } from 'h3'

/** The process is alive, even while it migrates: a probe must not kill a migrating instance. */
export default defineEventHandler(() => ({ status: 'alive' }))
