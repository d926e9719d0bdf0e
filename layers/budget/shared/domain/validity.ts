import { tzOffset } from '@date-fns/tz'

/** Days are `YYYY-MM-DD`, zones IANA names, instants Dates. `now` is the database's clock, always passed in. */
export type Day = string

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const utc = (day: Day) => Date.parse(`${day}T00:00:00Z`)
const dayOf = (utcMilliseconds: number): Day => new Date(utcMilliseconds).toISOString().slice(0, 10)
const offsetAt = (zone: string, at: number) => Math.round(tzOffset(zone, new Date(at)) * MINUTE)

export const addDays = (day: Day, days: number): Day => dayOf(utc(day) + days * DAY)

/** The calendar day in a zone at an instant. */
export const dayIn = (zone: string, now: Date): Day => dayOf(now.getTime() + offsetAt(zone, now.getTime()))

/** The local time in the zone: `HH:MM`. */
export const clockIn = (zone: string, now: Date): string =>
  new Date(now.getTime() + offsetAt(zone, now.getTime())).toISOString().slice(11, 16)

export const yearIn = (zone: string, now: Date): number => Number(dayIn(zone, now).slice(0, 4))

const MAX_CACHED = 1000
/** Cached starts of days: finding an offset formats several dates, and the same few days are needed repeatedly. */
const knownStarts = new Map<string, number>()

/** The first instant of a day in a zone. Where the clock skips midnight, that is the instant of the change. */
function startOfDay(day: Day, zone: string): Date {
  const key = `${day} ${zone}`
  const start = knownStarts.get(key) ?? findStart(day, zone).getTime()
  if (knownStarts.size >= MAX_CACHED) knownStarts.clear()
  knownStarts.set(key, start)
  return new Date(start)
}

function findStart(day: Day, zone: string): Date {
  const wall = utc(day)
  const before = offsetAt(zone, wall - DAY)
  const after = offsetAt(zone, wall + DAY)
  // Without a change of offset nearby, no more of these slow look-ups are needed.
  if (before === after) return new Date(wall - before)
  const candidates = [wall - before, wall - after].filter(at => at + offsetAt(zone, at) === wall)
  if (candidates.length > 0) return new Date(Math.min(...candidates))
  return new Date(changeBetween(zone, wall - DAY, wall + DAY))
}

/** The exclusive end of a day in a zone: the first instant of the next day. */
export const endOfDay = (day: Day, zone: string): Date => startOfDay(addDays(day, 1), zone)

/** True once the day is over in the zone. */
export const isOver = (day: Day, zone: string, now: Date): boolean => day < dayIn(zone, now)

/** The instant at which the zone's offset changes, to the millisecond. */
function changeBetween(zone: string, from: number, to: number): number {
  const before = offsetAt(zone, from)
  let low = from
  let high = to
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(zone, middle) === before) low = middle
    else high = middle
  }
  return high
}
