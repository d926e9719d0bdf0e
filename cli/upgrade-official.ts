import gt from 'semver/functions/gt.js'
import product from '../package.json' with { type: 'json' }
import { OPERATOR } from '../server/core/people/accounts/record-account.ts'
import { runCommand } from '../server/core/modules/commands.ts'
import { listModules } from '../server/core/modules/report.ts'
import { createSecrets } from '../server/core/secrets.ts'
import { checkSecretOf } from '../server/core/people/seals/used-secrets.ts'
import { withSql } from './context.ts'

const UNDEFINED_TABLE = '42P01'

/**
 * Schedules the upgrade of bundled modules that are newer in this release, because a module whose new migrations are
 * not applied doesn't run. Modules of a newer release can't be downgraded. Returns the modules' names; empty on an
 * empty database.
 */
export async function upgradeOfficial(): Promise<string[]> {
  return withSql(async (sql, config) => {
    const modules = await listModules(sql, config).catch((error: unknown) => {
      if ((error as { code?: string }).code === UNDEFINED_TABLE) return []
      throw error
    })
    const newer = modules.filter(
      ({ category, state, version, disk_version }) =>
        category === 'official' && state === 'installed' && version && disk_version && gt(disk_version, version)
    )
    if (newer.length > 0) await checkSecretOf(sql, config)
    const host = { sql, config, version: product.version, secrets: () => createSecrets(config), who: OPERATOR }
    for (const { name } of newer) await runCommand(host, { command: 'upgrade', name })
    return newer.map(({ name }) => name)
  })
}
