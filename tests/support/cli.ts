import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { aQuickFolder } from './database/quick-folder.ts'
import { root } from './modules/official.ts'

export interface Finished { code: number | null, stdout: string, stderr: string }
export type Env = Record<string, string>

/** A command under test gets none of the machine's own settings. */
const INHERITED = ['PATH', 'HOME', 'LANG', 'TMPDIR']
export const cleanEnv = (env: Env): Env => ({
  ...Object.fromEntries(INHERITED.flatMap(name => (process.env[name] ? [[name, process.env[name]]] : []))),
  ...env
})

/** `./bin/svc …` as a process, with a working directory outside the product. */
export function svc(words: string[], { env = {}, input = '' }: { env?: Env, input?: string } = {}): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(root, 'bin/svc'), words, { cwd: tmpdir(), env: cleanEnv(env), stdio: 'pipe' })
    const stdout = textOf(child.stdout)
    const stderr = textOf(child.stderr)
    child.on('error', reject)
    child.on('close', code => resolve({ code, stdout: stdout(), stderr: stderr() }))
    child.stdin.on('error', () => {}) // a command that reads no input may have ended
    child.stdin.end(input)
  })
}

/** The stream's output so far. */
export function textOf(stream: Readable): () => string {
  const parts: string[] = []
  stream.setEncoding('utf8').on('data', part => parts.push(part))
  return () => parts.join('')
}

export function aFolder(): { path: string, remove(): void } {
  const path = aQuickFolder('svc-cli-')
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Polls until there is an answer. */
export async function until<T>(ask: () => Promise<T>, within = 40_000): Promise<NonNullable<T>> {
  const limit = performance.now() + within
  for (;;) {
    const found = await ask()
    if (found) return found
    if (performance.now() > limit) throw new Error('it did not happen in time')
    await new Promise(resolve => setTimeout(resolve, 25))
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}
