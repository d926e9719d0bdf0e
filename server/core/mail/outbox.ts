import path from 'node:path'
import { isId, type Outbox } from '@svc/kit'
import type { Config } from '../config.ts'
import { placeNew } from '../files/place-new.ts'
import { makePrivate } from '../files/private-folders.ts'

/**
 * Files for messages of a channel without a provider, beside the mails. Their head has the two headers by which
 * `remove-mail-files.ts` finds them.
 */
export function createOutbox(
  { storage, base_url }: Pick<Config, 'storage' | 'base_url'>,
  now: () => Promise<Date>
): Outbox {
  const host = new URL(base_url).hostname
  return {
    async write({ id, to, text }) {
      if (!isId(id)) throw new TypeError('ctx.outbox.write takes a UUID as id')
      const folder = path.join(storage, 'outbox')
      await makePrivate(storage, folder)
      const head = [`Date: ${(await now()).toUTCString()}`, `Message-ID: <${id}@${host}>`, `To: ${toLine(to)}`]
      // An attempt that comes again finds the file: it isn't written twice.
      await placeNew(path.join(folder, `${id}.txt`), Buffer.from(`${head.join('\n')}\n\n${text}\n`))
    }
  }
}

/** A header has one line. */
const toLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
