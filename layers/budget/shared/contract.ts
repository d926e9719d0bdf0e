/**
 * The request and response schemas of this module's endpoints. The server validates with them; screens use their types.
 */
export * from './text.ts'
export * from './common.ts'
export * from './public.ts'
export * from './link.ts'
export * from './staff.ts'
export * from './templates.ts'
export * from './documents.ts'
export * from './messages.ts'
