import { AcceptanceReport, ReportSections, type AcceptanceQuery, type SectionsQuery } from '../../shared/contract.ts'

/** The module's API, typed by its contract. */
export function useReportsApi() {
  const api = useApi()
  return {
    acceptance: async (query: AcceptanceQuery, signal?: AbortSignal) =>
      (await api.get('/api/v1/reports/acceptance', { query, signal, answer: AcceptanceReport })).data,
    sections: async (query: SectionsQuery, signal?: AbortSignal) =>
      (await api.get('/api/v1/reports/sections', { query, signal, answer: ReportSections })).data
  }
}
