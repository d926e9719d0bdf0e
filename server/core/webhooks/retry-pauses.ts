const MINUTE = 60
const HOUR = 60 * MINUTE

/** Standard Webhooks, "Deliverability and reliability": 8 attempts in about a day and three hours. */
const PAUSES = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR]

/** Seconds until the next attempt; null after the last one. `failures` counts from 1. */
export const pauseAfter = (failures: number): number | null => PAUSES[failures - 1] ?? null
