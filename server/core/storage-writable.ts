import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ConfigError } from './config.ts'

/**
 * Errors that would also end the next start. A full disk is not among them: it can be freed meanwhile, and patients can
 * still accept.
 */
const FOR_GOOD = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'EEXIST'])

/** Throws ConfigError if an instance can't write at all, instead of failing at the first write. */
export function assertWritable(storage: string): void {
  const probe = path.join(storage, `.writable-${process.pid}`)
  try {
    mkdirSync(storage, { recursive: true }) // its mode is the operator's choice
    writeFileSync(probe, '', { mode: 0o600 })
    rmSync(probe)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (FOR_GOOD.has(code)) throw notWritable(`SVC_STORAGE cannot be written (${message.split(',')[0]}): ${storage}`)
  }
}

const notWritable = (message: string) => Object.assign(new ConfigError([message]), { message })
