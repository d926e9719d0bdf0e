import type { StaffSectionAt } from '../reach/sections.ts'

/** `at` in `staff_sections['reports.clinic']`: sections of the page with the clinic's reports. */
export interface ClinicReportAt extends StaffSectionAt {
  /** The first and the last day, `YYYY-MM-DD`, both in `time_zone`, at most ten years apart. */
  from: string
  to: string
  time_zone: string
  /** ISO 4217. */
  currency: string
}
