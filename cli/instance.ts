import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod'
import type { Config } from '../server/core/config.ts'

/** The instance that runs on this storage, recorded by `svc start` for the other commands. */
const Instance = z.object({
  /** `svc start` or `svc up`. */
  pid: z.int(),
  /** The server that takes the requests now. */
  server_pid: z.int(),
  /** Its address for this machine; people may use another address (`SVC_BASE_URL`). */
  url: z.url()
})
export type Instance = z.infer<typeof Instance>

const fileOf = (config: Config) => path.join(config.storage, 'run', 'instance.json')

export function recordInstance(config: Config, instance: Instance): void {
  const file = fileOf(config)
  mkdirSync(config.storage, { recursive: true }) // the operator chooses its mode
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(instance), { mode: 0o600 })
  renameSync(`${file}.${process.pid}`, file)
}

export function forgetInstance(config: Config): void {
  if (readInstance(config)?.pid === process.pid) rmSync(fileOf(config), { force: true })
}

/** Null if no instance answers; a file left by a killed process doesn't count. */
export async function findInstance(config: Config): Promise<Instance | null> {
  const instance = readInstance(config)
  return instance && await answers(`${instance.url}/livez`) ? instance : null
}

function readInstance(config: Config): Instance | null {
  try {
    return Instance.parse(JSON.parse(readFileSync(fileOf(config), 'utf8')))
  } catch (error) {
    if (
      error instanceof z.ZodError
      || error instanceof SyntaxError
      || (error as NodeJS.ErrnoException).code === 'ENOENT'
    )
      return null
    throw error
  }
}

/** Where this machine reaches a server that listens on `host`. */
export function localUrl(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/** True for 200 within two seconds. */
export async function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2000) }).then(response => response.ok, () => false)
}
