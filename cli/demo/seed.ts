import { defineCommand } from 'citty'
import type { Config } from '../../server/core/config.ts'
import { readAddress } from '../../server/core/database-address.ts'
import { whyPublic } from '../../server/core/demo/demo-place.ts'
import { isThisMachine } from '../../server/core/loopback.ts'
import { configuration, withDatabase } from '../context.ts'
import { CliError, EXIT } from '../errors.ts'
import { findInstance } from '../instance.ts'
import type { Result } from '../output.ts'
import { makeDemoData } from './make.ts'

export default defineCommand({
  meta: {
    name: 'seed',
    description: 'Fill a demo clinic; existing records stay',
    examples: ['svc demo seed']
  },
  args: {
    force: { type: 'boolean', description: 'Also where the database or HOST is not on this machine' },
    json: { type: 'boolean', description: 'Print one JSON document' }
  },
  async run({ args }): Promise<Result> {
    const config = configuration()
    refuseElsewhere(config, args.force ?? false)
    const hasServer = config.database_url !== null || await findInstance(config) !== null
    const state = await withDatabase(database => makeDemoData(database, { wait: hasServer }))
    const text
      = state === 'done'
        ? 'The demo clinic is ready.'
        : 'Scheduled: the running server makes the demo clinic, or the next one that starts.'
    return { json: { state }, text }
  }
})

/** The demo's password and code are public, so they must not exist in a clinic's own instance. Throws a refusal. */
export function refuseElsewhere(config: Config, force: boolean): void {
  const reasons = [...whyPublic(config), ...config.production ? ['NODE_ENV is production'] : []]
  if (reasons.length > 0) throw refused('not_for_demo', reasons)
  refuseOtherMachines(config, force)
}

function refuseOtherMachines(config: Config, force: boolean): void {
  const reasons = [
    isLocalDatabase(config) ? null : 'DATABASE_URL names a database on another machine',
    isThisMachine(config.host) ? null : `HOST ${config.host} can be reached from other machines`
  ].filter(reason => reason !== null)
  if (force || reasons.length === 0) return
  throw refused('not_local', reasons, 'svc demo seed --force')
}

const refused = (code: string, reasons: string[], hint?: string) =>
  new CliError({
    code,
    message: `The demo clinic has public passwords: ${reasons.join(', and ')}.`,
    hint,
    exit: EXIT.refused,
    extra: { reasons }
  })

function isLocalDatabase({ database_url }: Config): boolean {
  return (
    database_url === null
    || readAddress(database_url).hosts.every(({ host }) => host.startsWith('/') || isThisMachine(host))
  )
}
