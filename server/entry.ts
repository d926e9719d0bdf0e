import '#nitro-internal-pollyfills'
import { setTimeout as pause } from 'node:timers/promises'
import { toNodeListener } from 'h3'
import { useNitroApp } from 'nitropack/runtime'
import { bootState, drain, getConfig, getLog } from './boot.ts'
import { destroyConnections } from './core/http/connections.ts'
import { createHttpServer, serverOptions } from './core/http/server.ts'
import { announceConnectionClose, closeServer } from './core/http/stop.ts'
import { logLateErrors } from './core/modules/late-errors.ts'

/** For requests in flight. With `GRACE_MS` before it, a stop takes ten seconds without `svc start`. */
const DRAIN_MS = 8_000
/** Proxies that check `/readyz` take the instance out meanwhile, and kept connections are closed with an answer. */
const GRACE_MS = 2_000
/** The next server listens within seconds, but a busy machine can need longer. */
const SUCCESSOR_MS = 60_000

logLateErrors(getLog)

const nitro = useNitroApp()
const listener = toNodeListener(nitro.h3App)
let isDraining = false

const { server, connections } = createHttpServer(async (request, response) => {
  if (isDraining) response.setHeader('Connection', 'close')
  response.setHeader('X-Content-Type-Options', 'nosniff') // also for files
  await listener(request, response)
}, serverOptions(getConfig()))
// The port opens at once: during the boot the probes are answered, and the gate holds all other requests.
server.listen({ port: Number(process.env.PORT ?? 3000), host: process.env.HOST ?? '127.0.0.1' })
server.on('error', (error) => {
  console.error(`The port cannot be opened: ${error.message}`)
  process.exit(1)
})

/**
 * Makes the process not ready. It answers new requests for `grace_ms`, under `svc start` also until the next server
 * listens, and asks each client to use another connection next time. Then it finishes requests in flight, and exits.
 */
async function stop(grace_ms: number) {
  if (isDraining) return
  isDraining = true
  announceConnectionClose(connections)
  const wasReady = bootState() === 'ready'
  drain()
  if (wasReady) await pause(grace_ms)
  await successorListens()
  const late = setTimeout(() => destroyConnections(connections), DRAIN_MS)
  await closeServer(server, connections)
  clearTimeout(late)
  await nitro.hooks.callHook('close')
  process.exit()
}

/** Under `svc start` the next server takes over the listening socket first, so that no request finds it closed. */
function successorListens(): Promise<void> | void {
  if (!process.env.SVC_SUPERVISED || !process.connected) return
  return new Promise((resolve) => {
    process.on('message', (message) => { if (message === 'close') resolve() })
    process.on('disconnect', resolve)
    setTimeout(resolve, SUCCESSOR_MS)
    process.send!('draining')
  })
}

process.on('SIGTERM', () => void stop(GRACE_MS))
process.on('SIGINT', () => void stop(0)) // Ctrl-C in a terminal

export default {}
