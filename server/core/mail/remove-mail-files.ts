import { readdir, readFile, stat, unlink } from 'node:fs/promises'
import path from 'node:path'
import type { Erasure } from '@svc/kit'
import { emailKey } from '@svc/kit/addresses'
import type { Config } from '../config.ts'
import { fileClock } from '../files/file-clock.ts'
import { ifMissing } from '../files/if-missing.ts'
import type { Host } from '../host.ts'

/**
 * Mails that were not sent by SMTP are files, and so are messages of a channel without a provider (`outbox.ts`). A
 * crash may leave an unfinished one, `….eml.<hex>.tmp`.
 */
const IS_LEFTOVER = /\.tmp$/
const IS_LETTER = /\.(?:eml|txt)(?:\.[0-9a-f]+\.tmp)?$/
const DAYS_KEPT = 30
/** A younger file may be a message that is still being written. */
const LEFT_AFTER_MS = 60_000
const PURPOSE = 'letters'
/** The job that removes the mail files once an erasure is committed. After a crash, the next process runs it. */
export const REMOVE_LETTERS = 'remove-letters'

/**
 * Whose messages are removed. A job's payload outlives the patient's data by days, so it contains their addresses only
 * as keyed hashes.
 */
export interface MailFilter {
  [member: string]: string[]
  /** Base64 MACs of addresses in lower case. */ to: string[]
  /** As in `MailMessage.id`. */ ids: string[]
}

export function mailFilterOf(
  { secrets }: Pick<Host, 'secrets'>,
  mails: NonNullable<Erasure['letters']>[]
): MailFilter {
  const addresses = new Set(mails.flatMap(({ to = [] }) => to.map(emailKey)))
  return {
    to: [...addresses].map(address => secrets.mac(PURPOSE, address).toString('base64')),
    ids: [...new Set(mails.flatMap(({ ids = [] }) => ids))]
  }
}

/** Paths of the messages to these people, or with these ids. */
export async function findMails(
  { config, secrets }: Pick<Host, 'config' | 'secrets'>,
  { to, ids }: MailFilter
): Promise<string[]> {
  const macs = to.map(text => Buffer.from(text, 'base64'))
  const isWanted = ({ address, id }: Head) =>
    ids.some(wanted => id.startsWith(`<${wanted}@`)) || macs.some(mac => secrets.verifyMac(PURPOSE, address, mac))
  const found: string[] = []
  for (const file of to.length + ids.length > 0 ? await listMails(config) : []) {
    const head = await readHead(file)
    if (head && isWanted(head)) found.push(file)
  }
  return found
}

/** Safe to run twice, and concurrently with other runs. */
export async function removeMails(host: Pick<Host, 'config' | 'secrets'>, wanted: MailFilter): Promise<void> {
  for (const file of await findMails(host, wanted)) await remove(file)
}

/**
 * A mail that nobody has fetched within a month is useless: its links may have expired, and it contains personal data.
 */
export async function pruneOldMails({ config }: Pick<Host, 'config'>): Promise<void> {
  const now = await fileClock(outboxOf(config)).catch(ifMissing(0))
  for (const file of await listMails(config)) {
    if (await isOlder(file, now - DAYS_KEPT * 86_400_000)) await remove(file)
  }
}

const outboxOf = ({ storage }: Pick<Config, 'storage'>) => path.join(storage, 'outbox')

async function listMails({ storage }: Pick<Config, 'storage'>): Promise<string[]> {
  const folder = outboxOf({ storage })
  const names = await readdir(folder).catch(ifMissing<string[]>([]))
  const mails: string[] = []
  if (names.length === 0) return mails
  const leftBefore = await fileClock(folder) - LEFT_AFTER_MS
  for (const file of names.filter(name => IS_LETTER.test(name)).map(name => path.join(folder, name))) {
    if (!IS_LEFTOVER.test(file) || await isOlder(file, leftBefore)) mails.push(file)
  }
  return mails
}

const isOlder = (file: string, than: number): Promise<boolean> =>
  stat(file).then(({ mtimeMs }) => mtimeMs < than, ifMissing(false))

interface Head { address: string, id: string }

/** Unfolds long headers (RFC 5322 2.2.3). Null: the file was removed meanwhile. */
async function readHead(file: string): Promise<Head | null> {
  const text = await readFile(file, 'utf8').catch(ifMissing(null))
  if (text === null) return null
  const head = text.split(/\r?\n\r?\n/, 1)[0]!.replaceAll(/\r?\n[ \t]+/g, ' ')
  const header = (name: string) => new RegExp(`^${name}:(.*)$`, 'im').exec(head)?.[1]?.trim() ?? ''
  const to = header('to')
  return { address: (/<([^<>]*)>\s*$/.exec(to)?.[1] ?? to).trim().toLowerCase(), id: header('message-id') }
}

const remove = (file: string) => unlink(file).catch(ifMissing(undefined))
