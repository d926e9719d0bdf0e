import { accessSync, constants, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const NEEDED_BYTES = 4 * 1024 ** 3

/**
 * A new folder for databases, in memory if there is room. A copy of a database has a thousand files, which take several
 * times as long on a disk.
 */
export const aQuickFolder = (prefix: string): string => mkdtempSync(join(isRoomy() ? MEMORY : tmpdir(), prefix))

export const isInMemory = (folder: string): boolean => folder.startsWith(`${MEMORY}/`)

function isRoomy(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= NEEDED_BYTES
  } catch {
    return false // not on macOS
  }
}
