import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync, realpathSync, unlinkSync } from 'node:fs'
import { basename, join } from 'node:path'

/** What a postmaster writes into its lock files (PostgreSQL: miscadmin.h, LOCK_FILE_LINE_*). */
export interface LockFile { pid: number, data: string, socket: string }

export const postmasterFile = (data: string) => readLockFile(join(data, 'postmaster.pid'))

/** Lines 1, 2 and 5: the process, its data folder, its socket's folder. Null if the file doesn't exist. */
function readLockFile(file: string): LockFile | null {
  try {
    const lines = readFileSync(file, 'utf8').split('\n').map(line => line.trim())
    return { pid: Number(lines[0]), data: lines[1] ?? '', socket: lines[4] ?? '' }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Whether the process that `postmaster.pid` names runs and serves this data folder. */
export function isRunning(data: string): boolean {
  const pid = postmasterFile(data)?.pid
  return pid ? isPostmaster(pid, data) : false
}

/**
 * Process ids are reused, in containers after each start: a stale file may name another process, and PostgreSQL would
 * refuse to start. The file is kept if its process is a postmaster of the folder that the file names.
 */
export function dropStaleLocks({ data, socketFile }: { data: string, socketFile: string }): void {
  dropStale(join(data, 'postmaster.pid'), lock => isPostmaster(lock.pid, data))
  dropStale(`${socketFile}.lock`, lock => isPostmaster(lock.pid, lock.data))
}

function dropStale(file: string, isHeld: (lock: LockFile) => boolean): void {
  const lock = readLockFile(file)
  if (lock && isAlive(lock.pid) && !isHeld(lock)) unlinkSync(file)
}

/** Compares the process's arguments and its working directory, since a postmaster changes into its data folder. */
function isPostmaster(pid: number, data: string): boolean {
  if (!isAlive(pid)) return false
  if (!existsSync('/proc/self/cmdline')) return commandOf(pid).includes(data)
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return words.includes(data) || (basename(words[0]!) === 'postgres' && runsIn(pid, data))
  } catch {
    return false
  }
}

/** The folder may have been renamed since it was started. */
function runsIn(pid: number, data: string): boolean {
  return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data)
}

/** For macOS. */
function commandOf(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
