import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// V8's compiled code is cached beside the bundle, so that a process starts in half the time. If the folder is not
// writable, nothing is cached. A given NODE_COMPILE_CACHE takes precedence. The cache must be enabled before the first
// import.
enableCompileCache(process.env.NODE_COMPILE_CACHE ?? fileURLToPath(new URL('compiled', import.meta.url)))

// Nitro's renderer depends on NODE_ENV. Without it the router also logs each path that isn't a page, and so the token
// of a link.
const { env } = process // the bundler replaces the full name with a constant
env.NODE_ENV ??= 'production'
void import('./entry.ts')

export default {}
