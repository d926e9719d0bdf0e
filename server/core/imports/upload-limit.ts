import { problem } from '@svc/kit'
import type { UploadLimit } from '../types.ts'

/** Concurrent uploads, in this process and of one clinic: each needs space on a disk that the database may share. */
const MAX_CONCURRENT = 20
const MAX_OF_CLINIC = 5
const RETRY_SECONDS = 10

export function createUploadLimit(): UploadLimit {
  const clinics: string[] = []
  return {
    async run(clinic_id, work) {
      if (clinics.length >= MAX_CONCURRENT || clinics.filter(id => id === clinic_id).length >= MAX_OF_CLINIC)
        throw problem('busy', {
          detail: 'Too many files are being uploaded. Try again in a few seconds.',
          retry_after: RETRY_SECONDS
        })
      clinics.push(clinic_id)
      try {
        return await work()
      } finally {
        clinics.splice(clinics.indexOf(clinic_id), 1)
      }
    }
  }
}
