import { randomBytes } from 'node:crypto'
import { stat, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * Milliseconds by the clock that stamps the files of a folder, which is another machine's where the folder is shared.
 */
export async function fileClock(folder: string): Promise<number> {
  const probe = path.join(folder, `clock-${randomBytes(6).toString('hex')}.tmp`)
  await writeFile(probe, '')
  try {
    return (await stat(probe)).mtimeMs
  } finally {
    await unlink(probe)
  }
}
