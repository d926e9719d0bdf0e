import { opendir, stat, unlink } from 'node:fs/promises'
import path from 'node:path'

/** Longer than writing any file takes, on any instance that shares the folder. */
const OLD = 60 * 60 * 1000

/**
 * Files that a process was writing when it was killed. Nothing refers to them, but they hold people's names: they must not outlive
 * the document that was made in their place. Answers with how many were removed.
 */
export async function removeUnfinished(folder: string, now = Date.now()): Promise<number> {
  let removed = 0
  try {
    for await (const entry of await opendir(folder)) {
      const file = path.join(folder, entry.name)
      if (entry.isDirectory()) removed += await removeUnfinished(file, now)
      else if (entry.name.endsWith('.tmp') && await isOld(file, now)) {
        await unlink(file)
        removed += 1
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error // no document yet, or another instance was faster
  }
  return removed
}

const isOld = async (file: string, now: number): Promise<boolean> => now - (await stat(file)).mtimeMs > OLD
