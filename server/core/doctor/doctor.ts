import type { Sql } from 'postgres'
import type { Ctx, Db, Finding } from '@svc/kit'
import { checkAudit } from '../audit/check-audit.ts'
import { checkSealedRows } from '../people/seals/sealed-rows-advice.ts'
import type { Config } from '../config.ts'
import { CORE } from '../core-module.ts'
import { checkUnreachable } from '../events/end-deliveries.ts'
import { checkWork } from '../observe/late-work.ts'
import type { Secrets } from '../secrets.ts'
import { checkSecrets } from '../people/seals/used-secrets.ts'
import { discover } from '../modules/discover.ts'
import { toItems, type Items } from '../modules/guards.ts'
import { checkLayers } from './check-layers.ts'
import { askModules, checkBranches, findAdvice, type CheckedModule } from './integrity.ts'
import { readModules } from '../modules/store.ts'

type Entry = Omit<Finding, 'advice'>

export interface Diagnosis {
  /** True if all findings are only advice. */
  ok: boolean
  /** In the database, but missing from disk. */
  orphans: string[]
  missing_dependencies: { module: string, missing: string }[]
  manifest_errors: { module: string, error: string }[]
  errored_modules: { module: string, error: string }[]
  integrity: Entry[]
  advice: Entry[]
}

interface Examined {
  sql: Sql
  db: Db
  config: Pick<Config, 'root' | 'storage' | 'base_url' | 'trusted_proxies' | 'smtp_url'>
  files: Ctx['files']
  operator_certificate: Parameters<typeof findAdvice>[0]['operator_certificate']
  /** Null without the instance's secret: then neither seals nor passwords can be checked. */
  secrets: Secrets | null
  /** Modules that run in this process, or could run. */
  modules: readonly CheckedModule[]
  /** Installed modules that can't run. */
  broken: readonly { name: string, reason: string }[]
  /** The reason why the modules could not be checked. */
  advice?: readonly Entry[]
}

/** Checks everything and changes nothing. Works with broken manifests, missing dependencies and missing code. */
export async function examine({
  sql,
  db,
  config,
  files,
  operator_certificate,
  secrets,
  modules,
  broken,
  advice = []
}: Examined): Promise<Diagnosis> {
  const discovered = await discover(config)
  const items = toItems(await readModules(sql), discovered)
  const present = [...items.values()].filter(({ state }) => state !== 'uninstalled')
  const errored = new Map(broken.map(({ name, reason }) => [name, reason]))
  for (const { name, row } of items.values()) if (row?.error_message) errored.set(name, row.error_message)

  const running = [CORE, ...present.map(({ name }) => name).filter(name => !errored.has(name))]
  const missing = secrets ? await checkSecrets(sql, secrets) : []
  const findings = [
    ...missing, // first, because other findings may be rows that such a secret sealed
    ...(await checkBranches(sql, config, discovered)),
    ...(await askModules(modules)),
    ...(secrets ? await checkSealedRows(db, { secrets, lacks_secret: missing.length > 0 }) : []),
    ...(secrets ? await checkAudit(db, { secrets, lacks_secret: missing.length > 0 }) : []),
    ...(await checkLayers(sql, config)),
    ...(await checkUnreachable(sql, running)),
    ...(await checkWork(sql, running))
  ]
  const sections = {
    orphans: present.filter(({ disk }) => !disk).map(({ name }) => name),
    missing_dependencies: findMissing(items),
    manifest_errors: discovered
      .filter(({ error }) => error !== null)
      .map(({ name, error }) => ({ module: name, error: error! })),
    errored_modules: [...errored].sort(([a], [b]) => (a < b ? -1 : 1)).map(([module, error]) => ({ module, error })),
    integrity: findings.filter(finding => !finding.advice).map(toEntry)
  }
  return {
    ok: Object.values(sections).every(section => section.length === 0),
    ...sections,
    advice: [
      ...advice,
      ...findings.filter(finding => finding.advice),
      ...(await findAdvice({ sql, config, files, operator_certificate, secrets }))
    ].map(toEntry)
  }
}

/** Includes a module that was removed by force. A dependency that is scheduled for installation is not missing. */
function findMissing(items: Items): Diagnosis['missing_dependencies'] {
  return [...items.values()]
    .filter(({ state }) => state !== 'uninstalled' && state !== 'to_remove')
    .flatMap(({ name, depends }) => depends
      .filter(dependency => (items.get(dependency)?.state ?? 'uninstalled') === 'uninstalled')
      .map(missing => ({ module: name, missing })))
}

const toEntry = ({ code, object, message, fix }: Entry): Entry => ({ code, object, message, fix })
