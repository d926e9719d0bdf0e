/** Under which name the core's own jobs are delivered, like a module's. No module can have this name. */
export const CORE = 'core'
