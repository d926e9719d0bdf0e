import { setTimeout as pause } from 'node:timers/promises'
import { defineCommand } from 'citty'
import type { Config } from '../../server/core/config.ts'
import { refuseRestart } from '../../server/core/modules/orphans.ts'
import { configuration, withSql } from '../context.ts'
import { EXIT, failure, toFault } from '../errors.ts'
import { answers, findInstance, type Instance } from '../instance.ts'
import type { Result } from '../output.ts'
import { findRestartHint } from './restart-hint.ts'

const RESTART_TIMEOUT_MS = 120_000
const POLL_INTERVAL_MS = 100

export default defineCommand({
  meta: {
    name: 'restart',
    description: 'Restart the instance; if nothing supervises it here, print how',
    examples: ['svc modules restart', 'svc modules restart --dry-run']
  },
  args: {
    'dry-run': { type: 'boolean', description: 'Print how to restart this instance; restart nothing' },
    'json': { type: 'boolean', description: 'Print one JSON document' }
  },
  async run({ args }): Promise<Result> {
    const config = configuration()
    const hint = await findRestartHint(config)
    if (hint.running) await refuseOrphans()
    const instance = args['dry-run'] ? null : await findInstance(config)
    if (!instance) return { json: { ...hint, restarted: false }, text: hint.steps.join('\n') }
    const seconds = await restart(config, instance)
    return {
      json: { ...hint, restarted: true },
      text: `Restarted in ${seconds.toFixed(1)} s. Next step: svc modules status`
    }
  }
})

/** If the database is unreachable the check is skipped, since a restart may be what reconnects the service. */
async function refuseOrphans(): Promise<void> {
  await withSql(refuseRestart).catch((error: unknown) => {
    if (toFault(error).exit !== EXIT.database) throw error
  })
}

/** Makes `svc start` replace its server, and waits until the new one is ready. Returns the seconds it took. */
async function restart(config: Config, before: Instance): Promise<number> {
  const start = performance.now()
  process.kill(before.server_pid, 'SIGTERM')
  while (performance.now() - start < RESTART_TIMEOUT_MS) {
    const now = await findInstance(config)
    if (now && now.server_pid !== before.server_pid && (await answers(`${now.url}/readyz`)))
      return (performance.now() - start) / 1000
    await pause(POLL_INTERVAL_MS)
  }
  throw failure('restart_late', 'The instance is not ready again after two minutes.', 'check the log of svc start')
}
