import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ConfigError } from './config.ts'

/** Another start would end alike. A full disk is not among them: it can be freed meanwhile, and patients can accept. */
const FOR_GOOD = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'EEXIST'])

/** Throws ConfigError where an instance can write nothing, instead of the first error of whoever writes first. */
export function mustBeWritable(storage: string): void {
  const probe = path.join(storage, `.writable-${process.pid}`)
  try {
    mkdirSync(storage, { recursive: true }) // its mode is the operator's
    writeFileSync(probe, '', { mode: 0o600 })
    rmSync(probe)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (FOR_GOOD.has(code)) throw notWritable(`SVC_STORAGE cannot be written (${message.split(',')[0]}): ${storage}`)
  }
}

const notWritable = (message: string) => Object.assign(new ConfigError([message]), { message })
