import { clockIn } from './validity.ts'

export interface QuietHours { quiet_from: string, quiet_to: string }

/**
 * Whether the local time is within the quiet hours: from `quiet_from` until `quiet_to` (exclusive), possibly past
 * midnight. Equal times mean no quiet hours.
 */
export function isQuiet({ quiet_from, quiet_to }: QuietHours, zone: string, now: Date): boolean {
  const time = clockIn(zone, now)
  if (quiet_from <= quiet_to) return quiet_from <= time && time < quiet_to
  return time >= quiet_from || time < quiet_to
}
