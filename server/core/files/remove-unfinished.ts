import { opendir, stat, unlink } from 'node:fs/promises'
import path from 'node:path'
import { fileClock } from './file-clock.ts'
import { ifMissing } from './if-missing.ts'

/** Longer than it takes to write any file, on any instance that shares the folder. */
const OLD = 60 * 60 * 1000

/**
 * Removes files that a process was writing when it was killed. Nothing refers to them, but they contain people's names,
 * so they must not outlive the document that was created instead. `isUnfinished` decides by a file's name; by default
 * it ends with `.tmp`. Returns how many were removed.
 */
export async function removeUnfinished(folder: string, isUnfinished = isTemporary): Promise<number> {
  const now = await fileClock(folder).catch(ifMissing(null))
  return now === null ? 0 : await removeBefore(folder, now - OLD, isUnfinished)
}

const isTemporary = (name: string) => name.endsWith('.tmp')

async function removeBefore(folder: string, limit: number, isUnfinished: (name: string) => boolean): Promise<number> {
  let removed = 0
  try {
    for await (const entry of await opendir(folder)) {
      const file = path.join(folder, entry.name)
      if (entry.isDirectory()) removed += await removeBefore(file, limit, isUnfinished)
      else if (isUnfinished(entry.name) && (await stat(file)).mtimeMs < limit) {
        await unlink(file)
        removed += 1
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error // another instance was faster
  }
  return removed
}
