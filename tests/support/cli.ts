import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { root } from './modules/official.ts'

export interface Finished { code: number | null, stdout: string, stderr: string }
export type Env = Record<string, string>

/** Nothing of the machine's own settings reaches a command under test. */
const INHERITED = ['PATH', 'HOME', 'LANG', 'TMPDIR']
export const cleanEnv = (env: Env): Env => ({
  ...Object.fromEntries(INHERITED.flatMap(name => (process.env[name] ? [[name, process.env[name]]] : []))),
  ...env
})

/** `./bin/svc …` as a process, from a folder that is not the product's. */
export function svc(words: string[], { env = {}, input = '' }: { env?: Env, input?: string } = {}): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(root, 'bin/svc'), words, { cwd: tmpdir(), env: cleanEnv(env), stdio: 'pipe' })
    const stdout = textOf(child.stdout)
    const stderr = textOf(child.stderr)
    child.on('error', reject)
    child.on('close', code => resolve({ code, stdout: stdout(), stderr: stderr() }))
    child.stdin.on('error', () => {}) // a command that reads nothing may be gone
    child.stdin.end(input)
  })
}

/** What the stream has brought so far. */
export function textOf(stream: Readable): () => string {
  const parts: string[] = []
  stream.setEncoding('utf8').on('data', part => parts.push(part))
  return () => parts.join('')
}

export function aFolder(): { path: string, remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'svc-cli-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Asks until there is an answer. */
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
