import type { Db } from '@svc/kit'
import { hasClinic } from './lock-clinics.ts'

export interface SetupState {
  /** Whether the database has no clinic yet. */
  isNeeded(): Promise<boolean>
}

/**
 * Clinics are never deleted: once one was seen, nothing is asked any more. Before that each question goes to the
 * database, since another instance may have made the first one.
 */
export function createSetupState(db: Db): SetupState {
  let isDone = false
  return {
    async isNeeded() {
      isDone ||= await hasClinic(db)
      return !isDone
    }
  }
}
