/** Requests and answers of this module's endpoints: the server checks by them, the screens call by them. */
export * from './text.ts'
export * from './common.ts'
export * from './public.ts'
export * from './link.ts'
export * from './staff.ts'
export * from './templates.ts'
export * from './documents.ts'
export * from './messages.ts'
