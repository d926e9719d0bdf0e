import { randomBytes } from 'node:crypto'
import { stat, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * The time in milliseconds of the clock that stamps the folder's files. On a shared folder, it is another machine's.
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
