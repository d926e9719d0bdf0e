import { expect, test } from 'vitest'
import { fuzz } from '../../support/fuzz/run.ts'
import { anInstance } from '../../support/instance.ts'
import { scheduleOptional } from '../../support/modules/packages.ts'

/** `npm run fuzz` sets these. Without them, each run is the same. */
const { FUZZ_SEED = '1', FUZZ_MINUTES, FUZZ_ROUNDS = '1', FUZZ_CALLS = '12', FUZZ_ONLY = '' } = process.env
const minutes = FUZZ_MINUTES ? Number(FUZZ_MINUTES) : null

test(
  'every route answers any request of any caller in time, without 5xx, and only as the OpenAPI document describes',
  async () => {
    const instance = await anInstance({ env: { LOG_LEVEL: 'error' } })
    try {
      await scheduleOptional(instance)
      await instance.restart()
      const done = await fuzz(instance, {
        seed: Number(FUZZ_SEED),
        rounds: Number(FUZZ_ROUNDS),
        calls: Number(FUZZ_CALLS),
        minutes,
        only: FUZZ_ONLY
      })
      console.info(
        `fuzz: seed ${FUZZ_SEED}, ${done.rounds} rounds, ${done.calls} calls, statuses ${JSON.stringify(done.statuses)}, slowest ${done.slowest.ms} ms: ${done.slowest.what.slice(0, 200)}`
      )
      expect(done.findings, done.findings.join('\n\n')).toEqual([])
    } finally {
      await instance.close()
    }
  },
  (minutes ?? 0) * 60_000 + 300_000
)
