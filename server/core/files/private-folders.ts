import { chmod, mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from '@svc/kit'
import { ifMissing } from './if-missing.ts'

/**
 * Creates a folder below `storage` that only this user can read. The mode of `storage` itself is the operator's,
 * because an embedded database may belong to another user.
 */
export async function makePrivate(storage: string, folder: string): Promise<void> {
  await mkdir(storage, { recursive: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
}

/** Folders that earlier releases left readable for other users. Closing a folder also protects everything inside. */
const CLOSED: Record<string, number> = { documents: 0o700, outbox: 0o700, backups: 0o700, run: 0o700, secret: 0o600 }

/**
 * Closes our folders to others. Some file systems don't support modes: that is logged, but does not prevent the start.
 */
export async function closeToOthers(storage: string, log: Logger): Promise<void> {
  for (const [name, mode] of Object.entries(CLOSED)) {
    const file = path.join(storage, name)
    const found = await stat(file).catch(ifMissing(null))
    if (!found || (found.mode & 0o077) === 0) continue
    if (found.uid !== process.getuid?.()) log.warn('storage.open_to_others', { file, why: 'another user owns it' })
    else await chmod(file, mode).catch((error: unknown) => log.warn('storage.open_to_others', { file, error }))
  }
}
