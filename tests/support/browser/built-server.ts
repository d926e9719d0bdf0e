import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { serverEntry } from '../../../cli/build/aside.ts'
import { ensureBuilt } from '../../../cli/build/server.ts'
import { SERVER_FLAGS } from '../../../cli/supervisor.ts'
import { openDatabase } from '../../../server/core/db/client.ts'
import { startEmbedded } from '@svc/embedded-postgres'
import { unpackChromium } from './chromium.ts'
import { root } from '../modules/official.ts'
import { aQuickFolder } from '../database/quick-folder.ts'

declare module 'vitest' {
  interface ProvidedContext { built: { url: string, databaseUrl: string, storage: string } }
}

export const SECRET = 'a secret for tests, long enough to pass'

/**
 * The built server as a process with its own database, and Chromium, for the tests of screens and of whole processes.
 */
export default async function setup(project: TestProject) {
  await unpackChromium() // before the parallel workers look for it
  await ensureBuilt(root, line => process.stderr.write(`${line}\n`))
  const storage = aQuickFolder('svc-built-')
  // A test run need not survive a crash of the machine.
  const embedded = await startEmbedded({ storage, root, settings: { fsync: 'off', full_page_writes: 'off' } })
  const { url, server } = await startBuilt({ DATABASE_URL: embedded.url(), SVC_STORAGE: storage })
  await addClinic(embedded.url(), storage)
  project.provide('built', { url, databaseUrl: embedded.url(), storage })

  return async () => {
    await stop(server)
    await embedded.release()
    rmSync(storage, { recursive: true, force: true })
  }
}

/** Without a clinic every page would redirect to the set-up. */
async function addClinic(database_url: string, storage: string) {
  const { sql, close } = await openDatabase({ database_url, storage, root }, { max: 1, name: 'test' })
  await sql`insert into core_clinic (name, currency, time_zone, locale) values ('Set up', 'EUR', 'Europe/Madrid', 'es')`
  await close()
}

/**
 * Uses a free port by default. Resolves when `/readyz` answers 200. Rejects with the server's output if it ends before.
 */
export async function startBuilt(
  env: Record<string, string>,
  product = root
): Promise<{ url: string, server: ChildProcess }> {
  const { url, server, output } = await spawnBuilt(env, product)
  const until = performance.now() + 60_000
  while (!(await isReady(url))) {
    if (server.exitCode !== null || performance.now() > until)
      throw new Error(`the built server did not become ready:\n${output()}`)
    await new Promise(resolve => setTimeout(resolve, 25))
  }
  return { url, server }
}

/** The same while it is still starting. `output` is what it has printed so far. */
export async function spawnBuilt(
  env: Record<string, string>,
  product = root
): Promise<{ url: string, server: ChildProcess, output(): string }> {
  const port = env.PORT ?? String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const server = spawn(process.execPath, [...SERVER_FLAGS, serverEntry(product)], { // as `svc start` does
    cwd: product,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      PORT: port,
      SVC_BASE_URL: url,
      SVC_SECRET: SECRET,
      ...env
    },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let output = ''
  for (const stream of [server.stdout, server.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  return { url, server, output: () => output }
}

export async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  server.kill('SIGTERM')
  await once(server, 'exit')
}

const isReady = (url: string) => fetch(`${url}/readyz`).then(response => response.ok, () => false)

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}
