/** Requests and answers of the core's endpoints, for the server and the screens. */
export * from './auth.ts'
export * from './clinic.ts'
export * from './common.ts'
export * from './modules.ts'
export * from './persons.ts'
export * from './problem.ts'
export * from './tokens.ts'
export * from './webhooks.ts'
