import { renameSync } from 'node:fs'
import type { Disk } from '../../support/disk.ts'
import type { MailGate } from '../../support/outside/mail-gate.ts'
import type { Mailbox } from '../../support/outside/mailbox.ts'
import type { Inbox } from './inbox.ts'

export const FAULTS = ['renderer', 'mail', 'disk', 'webhooks'] as const
export type Fault = typeof FAULTS[number]

/** The text in the log when the fault has an effect. */
const HITS: Record<Fault, RegExp> = {
  renderer: /"event":"signed_pdf\.failed".*The font \S+ of the package/g,
  mail: /"event":"delivery\.failed".*"name":"(?:deliver-link|notify-decision)"/g,
  disk: /"event":"signed_pdf\.failed".*(?:ENOSPC|EFBIG)/g,
  webhooks: /"event":"webhook\.failed"/g
}

export interface Faults {
  on: Set<Fault>
  begin (fault: Fault): void
  end (fault: Fault): void
  endAll (): void
  /** The number of its effects so far. */
  hits (fault: Fault): number
  /** Whether an active or recently ended fault explains this status for a request to that path. */
  excuse (path: string, status: number): boolean
}

/** Requests that began during a fault can be answered after it. */
const AFTERWARDS_MS = 20_000

interface Parts {
  disk: Disk
  pid: number
  fonts: string
  mailbox: Mailbox
  gate: MailGate
  inbox: Inbox
  log: () => string
}

export function createFaults({ disk, pid, fonts, mailbox, gate, inbox, log }: Parts): Faults {
  const on = new Set<Fault>()
  let drawsAgainAt = -Infinity

  const begins: Record<Fault, () => void> = {
    renderer: () => renameSync(fonts, `${fonts}.away`),
    disk: () => disk.fill(pid),
    webhooks: () => { inbox.isMoody = true },
    mail() {
      gate.shut()
      mailbox.answer = () => 421 // connected clients are refused before an email is accepted
    }
  }
  const ends: Record<Fault, () => void> = {
    disk: () => disk.free(pid),
    webhooks: () => { inbox.isMoody = false },
    renderer() {
      renameSync(`${fonts}.away`, fonts)
      drawsAgainAt = performance.now()
    },
    mail() {
      gate.open()
      mailbox.answer = () => undefined
    }
  }
  const faults: Faults = {
    on,
    begin(fault) {
      begins[fault]()
      on.add(fault)
    },
    end(fault) {
      if (on.delete(fault)) ends[fault]()
    },
    endAll: () => {
      for (const fault of [...on]) faults.end(fault)
    },
    hits: fault => log().match(HITS[fault])?.length ?? 0,
    excuse: (path, status) =>
      (on.has('renderer') || performance.now() - drawsAgainAt < AFTERWARDS_MS)
      && status === 500
      && /\/pdf(?:\?|$)/.test(path)
  }
  return faults
}
