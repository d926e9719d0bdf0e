import { setTimeout as pause } from 'node:timers/promises'
import { createApp, createRouter, toNodeListener, type NodeListener } from 'h3'
import api from './api/[...].ts'
import { bootState, drain, getConfig, ready, shutDown } from './boot.ts'
import { destroyConnections } from './core/http/connections.ts'
import { createHttpServer, serverOptions } from './core/http/server.ts'
import { closeServer, announceConnectionClose } from './core/http/stop.ts'
import handleError from './error-handler.ts'
import gate from './middleware/gate.ts'
import pageMethods from './middleware/page-methods.ts'
import requestId from './middleware/request-id.ts'
import { beginBoot } from './plugins/modules.ts'
import livez from './routes/livez.ts'
import readyz from './routes/readyz.ts'

const DRAIN_MS = 10_000
/** Proxies that ask `/readyz` take the instance out, and connections that they keep come to an end with an answer. */
const GRACE_MS = 2_000
/** Loading them holds everybody else up: the probe that waits for the service to be ready, and what was held until then. */
const PAGES_AFTER_MS = 500
/** An error of the software (`EX_SOFTWARE` of sysexits.h), which `svc start` tries again. */
const NO_PAGES_EXIT = 70

beginBoot()
// Whatever the configuration, which is read by now, takes it for: without it the router writes each path that is no
// page into the log, and with it the token of a link.
const { env } = process // the bundler puts a constant in place of the whole name
env.NODE_ENV ??= 'production'
// A rejection without a handler, or an error in a library's timer, must not end the requests of others.
for (const name of ['unhandledRejection', 'uncaughtException'] as const) process.on(name, error => console.error(`[${name}]`, error))

let pages: Promise<NodeListener> | undefined
/** A third of the bundle: neither the API nor the probes of an orchestrator need it. */
const loadPages = () => pages ??= import('./pages.ts').then((file) => {
  closePages = file.close
  return file.default
}, onPagesLoadFailed)
let closePages: () => unknown = () => {}
void ready.then(() => setTimeout(loadPages, PAGES_AFTER_MS))

// What Nitro's plugins prepare with each request for the page that it may be costs more than most answers of the API.
// Beside /api/v1 lie the icons of the screens, which are Nitro's.
const calls = toNodeListener(createApp({ onError: handleError }).use(gate).use(api))

/** The gate holds them at no time (`middleware/gate.ts`). */
const PROBES = { '/livez': livez, '/readyz': readyz }
const router = createRouter()
for (const [path, handler] of Object.entries(PROBES)) router.use(path, handler)
const probes = toNodeListener(createApp({ onError: handleError }).use(requestId).use(pageMethods).use(router))

/** A layer's plugin that throws, a bundle that was replaced: what is in flight is finished, another start may do better. */
function onPagesLoadFailed(error: unknown): NodeListener {
  console.error('The pages cannot be loaded:', error)
  void stop(0, NO_PAGES_EXIT)
  return (_, response) => void response.writeHead(503).end()
}

function listenerOf(url: string): NodeListener | Promise<NodeListener> {
  if (url.startsWith('/api/v1/')) return calls
  return Object.hasOwn(PROBES, url) ? probes : loadPages()
}

let draining = false

const { server, connections } = createHttpServer(async (request, response) => {
  if (draining) response.setHeader('Connection', 'close')
  response.setHeader('X-Content-Type-Options', 'nosniff') // files too
  const listener = await listenerOf(request.url ?? '')
  await listener(request, response)
}, serverOptions(getConfig()))
// The port opens at once: the probes answer while boot is under way, the gate holds the rest.
server.listen({ port: Number(process.env.PORT ?? 3000), host: process.env.HOST ?? '127.0.0.1' })
server.on('error', (error) => {
  console.error(`The port cannot be opened: ${error.message}`)
  process.exit(1)
})

/**
 * Not ready any more, answers what comes for as long as `grace_ms` and asks each client to use another connection
 * next time, finishes what is in flight, closes, exits: all within the limit.
 */
async function stop(grace_ms: number, exit = 0) {
  if (draining) return
  draining = true
  const late = setTimeout(() => destroyConnections(connections), DRAIN_MS)
  announceConnectionClose(connections)
  const wasReady = bootState() === 'ready'
  drain()
  if (wasReady) await pause(grace_ms)
  await successorListens()
  await closeServer(server, connections)
  clearTimeout(late)
  await closePages()
  await shutDown()
  process.exit(exit)
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
process.on('SIGINT', () => void stop(0)) // Ctrl-C at a terminal

export default {}
