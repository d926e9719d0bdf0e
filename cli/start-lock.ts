import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Config } from '../server/core/config.ts'

/** SQLite's result code. */
const SQLITE_BUSY = 5
let held: DatabaseSync | null = null

/**
 * One `svc start` or `svc up` on a folder: false while another process holds it. The lock is the kernel's, on a file
 * that SQLite locks for us, since Node has no call for it: it ends with the process, however that ends.
 */
export function takeStartLock(config: Config): boolean {
  if (held) return true
  const folder = path.join(config.storage, 'run')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = new DatabaseSync(path.join(folder, 'start.lock'))
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
    held = lock
    return true
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false
    throw error
  }
}
