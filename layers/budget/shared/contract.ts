/** Requests and answers of this module's endpoints: the server validates with them, and the screens use their types. */
export * from './text.ts'
export * from './common.ts'
export * from './public.ts'
export * from './link.ts'
export * from './staff.ts'
export * from './templates.ts'
export * from './documents.ts'
export * from './messages.ts'
