import type { Db } from '@svc/kit'
import { hasClinic } from './lock-clinics.ts'
import type { SetupState } from '../types.ts'

/**
 * Clinics are never deleted: once there is one, the database is not queried any more. Before that each call queries it,
 * since another instance may have created the first clinic.
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
