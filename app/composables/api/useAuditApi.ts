import * as z from 'zod'
import { AuditRow } from '../../../shared/audit.ts'

const AUDIT = '/api/v1/audit'

export interface AuditFilters { action?: string[], actor?: string, from?: string, to?: string }

/** The clinic's audit log. */
export function useAuditApi() {
  const api = useApi()
  return {
    list: (query: AuditFilters & { page?: number }, signal?: AbortSignal) =>
      api.get(AUDIT, { query: { ...query }, signal, answer: z.array(AuditRow) })
  }
}
