import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// What V8 made of the bundle lies beside it, so that a process starts in half the time. Where the folder cannot be
// written nothing is kept; a NODE_COMPILE_CACHE that is set counts instead. It must be on before the first import.
enableCompileCache(process.env.NODE_COMPILE_CACHE ?? fileURLToPath(new URL('compiled', import.meta.url)))

// Nitro's renderer decides by it; without it the router also writes each path that isn't a page into the log, and with
// it the token of a link.
const { env } = process // the bundler puts a constant in place of the whole name
env.NODE_ENV ??= 'production'
void import('./entry.ts')

export default {}
