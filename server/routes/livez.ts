import { defineEventHandler } from 'h3'

/** The process is alive, also while it migrates: a probe that kills a migrating instance does harm. */
export default defineEventHandler(() => ({ status: 'alive' }))
