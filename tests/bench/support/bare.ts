import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build, createNitro, prepare } from 'nitropack'
import { SECRET, stop } from '../../support/browser/built-server.ts'
import { freePort } from '../../support/cli.ts'
import { untilReady } from './ready.ts'

export type BareName = 'empty' | 'handlers'
export interface Bare { /** The file that a process runs. */ entry: string, remove (): void }

/** Builds a server of `bare/` like the product: Nitro for Node, with the driver in the bundle. */
export async function buildBare(name: BareName): Promise<Bare> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bare-'))
  const nitro = await createNitro({
    rootDir: resolve(import.meta.dirname, '../bare', name),
    preset: 'node-server',
    compatibilityDate: '2026-11-01',
    logLevel: 1,
    imports: false,
    externals: { inline: ['postgres'] },
    buildDir: join(folder, 'work'),
    output: { dir: join(folder, 'output') }
  })
  await prepare(nitro)
  await build(nitro)
  await nitro.close()
  return {
    entry: join(folder, 'output/server/index.mjs'),
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs it as a process until `stop`. */
export async function startBare(
  { entry }: Bare,
  env: Record<string, string>,
  probe: string
): Promise<{ url: string, stop(): Promise<void> }> {
  const { server, url } = await spawnServer(entry, { SVC_SECRET: SECRET, ...env })
  await untilReady(server, `${url}${probe}`)
  return { url, stop: () => stop(server) }
}

export async function spawnServer(
  entry: string,
  env: Record<string, string>
): Promise<{ server: ChildProcess, url: string }> {
  const port = String(await freePort())
  const server = spawn(process.execPath, [entry], {
    env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'warn', HOST: '127.0.0.1', PORT: port, ...env },
    stdio: ['ignore', 'inherit', 'inherit']
  })
  return { server, url: `http://127.0.0.1:${port}` }
}
