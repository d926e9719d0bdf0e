import '#nitro-internal-pollyfills'
import { setTimeout as pause } from 'node:timers/promises'
import { createApp, toNodeListener } from 'h3'
import { useNitroApp } from 'nitropack/runtime'
import { trapUnhandledNodeErrors } from 'nitropack/runtime/internal'
import api from './api/[...].ts'
import { bootState, drain } from './boot.ts'
import { cut } from './core/http/connections.ts'
import { createHttpServer } from './core/http/server.ts'
import { closeServer, letGo } from './core/http/stop.ts'
import handleError from './error-handler.ts'
import gate from './middleware/gate.ts'

const DRAIN_MS = 10_000
/** Proxies that ask `/readyz` take the instance out, and connections that they keep come to an end with an answer. */
const GRACE_MS = 2_000

const nitroApp = useNitroApp() // runs the plugins: boot begins here
// Whatever the configuration, which is read by now, takes it for: without it the router writes each path that is no
// page into the log, and with it the token of a link.
const { env } = process // the bundler puts a constant in place of the whole name
env.NODE_ENV ??= 'production'
trapUnhandledNodeErrors()

const pages = toNodeListener(nitroApp.h3App)
// What plugins prepare with each request for the page that it may be costs more than most answers of the API. Beside
// /api/v1 lie the icons of the screens, which are Nitro's.
const calls = toNodeListener(createApp({ onError: handleError }).use(gate).use(api))
let draining = false

const { server, connections } = createHttpServer((request, response) => {
  if (draining) response.setHeader('Connection', 'close')
  response.setHeader('X-Content-Type-Options', 'nosniff') // files too
  return request.url?.startsWith('/api/v1/') ? calls(request, response) : pages(request, response)
})
// The port opens at once: the probes answer while boot is under way, the gate holds the rest.
server.listen({ port: Number(process.env.PORT ?? 3000), host: process.env.HOST ?? '127.0.0.1' })
server.on('error', (error) => {
  console.error(`The port cannot be opened: ${error.message}`)
  process.exit(1)
})

/**
 * Not ready any more, answers what comes for as long as `grace_ms` and tells each client to come back on another
 * connection, finishes what is in flight, closes, exits 0: all within the limit.
 */
async function stop(grace_ms: number) {
  if (draining) return
  draining = true
  const late = setTimeout(() => cut(connections), DRAIN_MS)
  letGo(connections)
  const wasReady = bootState() === 'ready'
  drain()
  if (wasReady) await pause(grace_ms)
  await successorListens()
  await closeServer(server, connections)
  clearTimeout(late)
  await nitroApp.hooks.callHook('close')
  process.exit(0)
}

/** Under `svc start` the next server takes the listening socket first, so that no request finds it closed. */
function successorListens(): Promise<void> | void {
  if (!process.env.SVC_SUPERVISED || !process.connected) return
  return new Promise((resolve) => {
    process.on('message', (message) => { if (message === 'close') resolve() })
    setTimeout(resolve, 5000)
    process.send!('draining')
  })
}

process.on('SIGTERM', () => void stop(GRACE_MS))
process.on('SIGINT', () => void stop(0)) // somebody at a terminal

export default {}
