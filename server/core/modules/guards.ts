import { join } from 'node:path'
import satisfies from 'semver/functions/satisfies.js'
import { readMigrations, tablesOf } from '../db/migrate.ts'
import type { Discovered } from './discover.ts'
import type { Manifest } from '../manifest.ts'
import { describeForeignPaths, findForeignPaths, openPathsOf } from './own-paths.ts'
import { inDependencyOrder } from './plan.ts'
import type { Reason } from './refusal.ts'
import type { ModuleState } from './states.ts'
import type { ModuleRow, Pending } from './store.ts'

/**
 * Why a command may not schedule its operation. Each rule gives a reason, and all that apply are reported. Pure, except
 * that it reads migration files; no module's code runs.
 */

/** The row of a module and its package on disk, side by side. */
export interface Item {
  name: string
  state: ModuleState
  row: ModuleRow | null
  disk: Discovered | null
  /** From the row for an installed module, otherwise from the disk. */
  manifest: Manifest | null
  depends: string[]
}

export type Items = ReadonlyMap<string, Item>

export interface Facts {
  /** The version of this service. */
  version: string
  /** Absolute folder of the core's migrations. */
  core_migrations: string
  /** Modules whose pending operation has completed a step. */
  begun: ReadonlySet<string>
  /** Names of all tables in the database. */
  tables: ReadonlySet<string>
}

export function toItems(rows: readonly ModuleRow[], discovered: readonly Discovered[]): Items {
  const names = new Set([...rows, ...discovered].map(({ name }) => name))
  return new Map([...names].sort().map((name) => {
    const row = rows.find(candidate => candidate.name === name) ?? null
    const disk = discovered.find(candidate => candidate.name === name) ?? null
    const state = row?.state ?? 'uninstalled'
    const onDisk = disk?.manifest ?? null
    const isInstalled = state === 'installed' || state === 'to_remove'
    const manifest = isInstalled ? row?.manifest ?? onDisk : onDisk ?? row?.manifest ?? null
    return [name, { name, state, row, disk, manifest, depends: manifest?.depends ?? [] }]
  }))
}

// ---------------------------------------------------------------- install

export interface Chain { names: string[], reasons: Reason[] }

/** The module and every missing dependency, dependencies first. */
export function installChain(name: string, items: Items): Chain {
  const reasons = new Map<string, Reason>()
  const refuse = (reason: Reason) => reasons.set(reason.why, reason)
  const chain = new Map<string, Item>()

  function visit(item: Item, path: string[]) {
    if (path.includes(item.name)) {
      const circle = [...path.slice(path.indexOf(item.name)), item.name].join(' needs ')
      refuse({ why: `${circle}: they depend on each other`, fix: 'Correct the depends of their manifests.' })
      return
    }
    if (chain.has(item.name)) return
    const reason = whyNotInstallable(item, path.at(-1))
    if (reason) {
      refuse(reason)
      return
    }
    for (const dependency of item.depends) {
      const found = items.get(dependency)
      if (!found)
        refuse({
          why: `${item.name} needs ${dependency}, which is not on disk`,
          fix: `Install the package of ${dependency} first.`
        })
      else if (found.state !== 'installed' && found.state !== 'to_upgrade') visit(found, [...path, item.name])
    }
    chain.set(item.name, item)
  }

  const self = items.get(name)
  if (self) visit(self, [])
  return { names: inDependencyOrder([...chain.values()]).map(item => item.name), reasons: [...reasons.values()] }
}

function whyNotInstallable(item: Item, neededBy: string | undefined): Reason | null {
  const subject = neededBy ? `${neededBy} needs ${item.name}, which` : item.name
  if (item.state === 'to_remove')
    return { why: `${subject} is scheduled for removal`, action: `svc modules cancel ${item.name}` }
  if (!item.disk) return { why: `${subject} is not on disk`, fix: `Install the package of ${item.name} first.` }
  if (!item.disk.manifest) return brokenManifest(item.name, item.disk.error)
  return null
}

const brokenManifest = (name: string, error: string | null): Reason => ({
  why: `the manifest of ${name} is broken: ${error}`,
  fix: 'Correct the manifest.'
})

/** The reasons against installing or upgrading one module of the chain. */
export function hostReasons(item: Item, items: Items, facts: Facts): Reason[] {
  const reasons: Reason[] = []
  const range = item.disk?.manifest?.core ?? '*'
  if (!satisfies(facts.version, range, { includePrerelease: true })) {
    reasons.push({
      why: `${item.name} needs version ${range} of this service, which is ${facts.version}`,
      fix: `Upgrade the service, or use another version of ${item.name}.`
    })
  }
  const open = openPathsOf(item.depends.flatMap(name => items.get(name)?.disk?.manifest ?? []))
  const foreign = item.disk ? findForeignPaths(item.disk, open) : []
  if (foreign.length > 0)
    reasons.push({
      why: `${item.name} has endpoints of others: ${describeForeignPaths(item.name, foreign, open)}`,
      fix: `Use a version of ${item.name} that keeps to its own paths.`
    })
  for (const { owner, tables } of claims(item, items, facts)) {
    reasons.push({
      why: `${item.name} claims the table ${tables.join(', ')}, which belongs to ${owner}`,
      fix: `Use a version of ${item.name} that uses other table names.`
    })
  }
  return reasons
}

function claims(item: Item, items: Items, { core_migrations }: Facts): { owner: string, tables: string[] }[] {
  const own = new Set(tablesOfItem(item))
  const others = [...items.values()].filter(({ name, state }) => name !== item.name && state !== 'uninstalled')
  const all = [
    ...others.map(other => ({ owner: other.name, tables: tablesOfItem(other) })),
    { owner: 'the service itself', tables: tablesOf(core_migrations) }
  ]
  return all
    .map(({ owner, tables }) => ({ owner, tables: tables.filter(table => own.has(table)) }))
    .filter(({ tables }) => tables.length > 0)
}

/** Tables that `--keep-data` or `orphan` left are adopted if they belong to this branch and their revision is known. */
export function adoptionReasons(item: Item, { tables }: Facts): Reason[] {
  if (item.state !== 'uninstalled') return []
  const revision = item.row?.applied_revision ?? null
  const known = revisionsOf(item)
  if (revision !== null) {
    const why = `the tables of ${item.name} were left at ${revision}, which its version on disk does not know: downgrade not supported`
    return known.includes(revision)
      ? []
      : [{ why, fix: `Install the version of ${item.name} that made them, or a newer one.` }]
  }
  const foreign = tablesOfItem(item).filter(table => tables.has(table))
  const why = `the table ${foreign.join(', ')} exists already, and no earlier install of ${item.name} left it`
  return foreign.length > 0 ? [{ why, fix: 'Find out which program uses it, then rename it or use another database.' }] : []
}

// ---------------------------------------------------------------- upgrade

export function upgradeReasons(item: Item, items: Items): Reason[] {
  if (!item.disk) return [{ why: `${item.name} is not on disk`, fix: 'Restore its package first.' }]
  if (!item.disk.manifest) return [brokenManifest(item.name, item.disk.error)]
  return item.disk.manifest.depends
    .filter(name => !['installed', 'to_install', 'to_upgrade'].includes(items.get(name)?.state ?? ''))
    .map(name => ({ why: `${item.name} needs ${name}, which is not installed`, action: `svc modules install ${name}` }))
}

/** Has another version on disk, or migrations that only an upgrade can apply. */
export function isUpgradable(item: Item): boolean {
  if (item.disk?.version !== item.row?.version) return true
  const revisions = revisionsOf(item)
  const applied = item.row?.applied_revision ?? null
  if (applied !== null && !revisions.includes(applied)) return false
  return (applied === null ? -1 : revisions.indexOf(applied)) < revisions.length - 1
}

// ---------------------------------------------------------------- uninstall

/** The module's own veto is requested at the restart, because commands run no module code. */
export function uninstallReasons(item: Item, items: Items, { force }: { force: boolean }): Reason[] {
  const reasons: Reason[] = []
  if (!item.disk) {
    const action = `restore its package, or svc modules orphan ${item.name}`
    reasons.push({
      why: `${item.name} is not on disk, so its code cannot be run`,
      action,
      fix: `Restore its package, or run svc modules orphan ${item.name}.`
    })
  }
  const manifest = item.disk ? item.disk.manifest : item.manifest
  if (item.disk && !manifest) reasons.push(brokenManifest(item.name, item.disk.error))
  else if (!manifest?.migrations && (isBundled(item) || item.row?.applied_revision)) reasons.push(withoutBranch(item))
  if (force) return reasons

  const forceHelps = reasons.length === 0
  const dependants = dependantsOf(item.name, items)
  if (dependants.length > 0)
    reasons.push({
      why: `${item.name} is required by ${dependants.join(', ')}`,
      fix: forceHelps ? `Uninstall ${dependants.join(', ')} first, or use force.` : undefined
    })
  if (manifest && !manifest.removable)
    reasons.push({
      why: `${item.name} is part of the service (removable is false)`,
      fix: forceHelps ? 'Use force to uninstall a part of the service.' : undefined
    })
  return reasons
}

const isBundled = ({ disk, manifest }: Item) => disk ? disk.bundled : manifest?.category !== 'community'

/** For a part of the service without migrations, and for a package that no longer brings those of its tables. */
const withoutBranch = (item: Item): Reason => ({
  why: `${item.name} has no Alembic branch, so its removal could not be undone: it cannot be removed, even with --force`,
  fix: isBundled(item) ? 'It stays installed.' : `Restore the version of ${item.name} that made its tables.`
})

/** Installed or pending modules that are not being removed themselves. */
export function dependantsOf(name: string, items: Items): string[] {
  return [...items.values()]
    .filter(item => item.state !== 'uninstalled' && item.state !== 'to_remove' && item.depends.includes(name))
    .map(item => item.name)
}

// ---------------------------------------------------------------- what a module owns

const folderOf = ({ disk }: Item) => disk?.manifest?.migrations ? join(disk.folder, disk.manifest.migrations) : null

export function tablesOfItem(item: Item): string[] {
  const folder = folderOf(item)
  return folder ? tablesOf(folder) : []
}

function revisionsOf(item: Item): string[] {
  const folder = folderOf(item)
  return folder ? readMigrations(folder).map(({ revision }) => revision) : []
}

export const isSamePending = (pending: Pending | null, wanted: { force: boolean, keep_data: boolean }) =>
  (pending?.force ?? false) === wanted.force && (pending?.keep_data ?? false) === wanted.keep_data
