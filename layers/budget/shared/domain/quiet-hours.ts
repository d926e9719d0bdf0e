import { clockIn } from './validity.ts'

export interface QuietHours { quiet_from: string, quiet_to: string }

/**
 * From `quiet_from` until `quiet_to` (exclusive) in local time of the zone, possibly over midnight; never if both are
 * the same.
 */
export function isQuiet({ quiet_from, quiet_to }: QuietHours, zone: string, now: Date): boolean {
  const time = clockIn(zone, now)
  if (quiet_from <= quiet_to) return quiet_from <= time && time < quiet_to
  return time >= quiet_from || time < quiet_to
}
