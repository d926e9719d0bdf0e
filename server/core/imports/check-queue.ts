import { problem } from '@svc/kit'
import type { CheckQueue, QueuedCheck } from '../types.ts'

/** Limits of waiting checks, in this process and for one clinic. */
const MAX_WAITING = 20
const MAX_OF_CLINIC = 5
const RETRY_SECONDS = 30

interface Entry extends Pick<QueuedCheck, 'id' | 'clinic_id'> {
  begin: () => void
  refuse: (reason: unknown) => void
}

export function createCheckQueue(): CheckQueue {
  /** In order; the first one is running. */
  const entries: Entry[] = []
  let isClosed = false

  function assertRoom(clinic_id: string): void {
    if (isClosed) throw stopping()
    const waiting = entries.slice(1)
    if (waiting.length >= MAX_WAITING || waiting.filter(entry => entry.clinic_id === clinic_id).length >= MAX_OF_CLINIC)
      throw problem('busy', {
        detail: 'Too many files wait for their check. Try again in a minute.',
        retry_after: RETRY_SECONDS
      })
  }

  return {
    async run({ id, clinic_id, signal }, work) {
      signal?.throwIfAborted()
      assertRoom(clinic_id)
      const turn = Promise.withResolvers<undefined>()
      const entry: Entry = { id, clinic_id, begin: () => turn.resolve(undefined), refuse: turn.reject }
      const leave = () => entry.refuse(signal!.reason)
      signal?.addEventListener('abort', leave)
      entries.push(entry)
      if (entries[0] === entry) entry.begin()
      try {
        await turn.promise
        return await work()
      } finally {
        signal?.removeEventListener('abort', leave)
        entries.splice(entries.indexOf(entry), 1)
        entries[0]?.begin()
      }
    },
    countBefore(id) {
      const place = entries.findIndex(entry => entry.id === id)
      return place > 0 ? place : null
    },
    close() {
      isClosed = true
      for (const { refuse } of entries.slice(1)) refuse(stopping())
    }
  }
}

const stopping = () => problem('busy', { detail: 'The service restarts. Try again in a few seconds.', retry_after: 5 })
