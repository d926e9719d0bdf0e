import { chmod, mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from '@svc/kit'
import { ifMissing } from './if-missing.ts'

/**
 * Below `storage`, for this user alone. The mode of `storage` is the operator's: an embedded database can be another
 * user's.
 */
export async function makePrivate(storage: string, folder: string): Promise<void> {
  await mkdir(storage, { recursive: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
}

/** What earlier releases left readable for other users of the machine. They reach nothing inside a closed folder. */
const CLOSED: Record<string, number> = { documents: 0o700, outbox: 0o700, backups: 0o700, run: 0o700, secret: 0o600 }

/** Closes what is ours. Some file systems keep no modes: that is for the log, and no reason not to start. */
export async function closeToOthers(storage: string, log: Logger): Promise<void> {
  for (const [name, mode] of Object.entries(CLOSED)) {
    const file = path.join(storage, name)
    const found = await stat(file).catch(ifMissing(null))
    if (!found || (found.mode & 0o077) === 0) continue
    if (found.uid !== process.getuid?.()) log.warn('storage.open_to_others', { file, why: 'another user owns it' })
    else await chmod(file, mode).catch((error: unknown) => log.warn('storage.open_to_others', { file, error }))
  }
}
