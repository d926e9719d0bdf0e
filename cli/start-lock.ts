import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Config } from '../server/core/config.ts'

/** SQLite's result code for a lock that another process has. */
const SQLITE_BUSY = 5
let held: DatabaseSync | null = null

/**
 * Allows one `svc start` or `svc up` per folder; false while another process has the lock. It is a kernel lock, so it
 * ends with the process in any case. SQLite takes it for us, since Node has no API for file locks.
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
