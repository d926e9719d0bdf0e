import { access, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Sql } from 'postgres'
import type { Ctx, Finding, ModuleDefinition } from '@svc/kit'
import { checkLogos } from '../clinics/logo.ts'
import type { Config } from '../config.ts'
import { checkDemoPasswords } from '../demo/demo-advice.ts'
import { readMigrations, tablesOf, type Migration } from '../db/migrate.ts'
import { checkDocumentStore, checkOperatorCertificate, checkClinicCertificates } from '../documents/advice.ts'
import { isThisMachine, opensHereOnly } from '../loopback.ts'
import { tlsOf } from '../mail-url.ts'
import { checkWebhooks } from '../webhooks/advice.ts'
import type { Discovered } from '../modules/discover.ts'
import { findDrift } from './drift.ts'
import { findForeignTriggers } from '../modules/foreign-triggers.ts'

/** A running module that can report findings of its own. */
export interface CheckedModule { name: string, definition: Pick<ModuleDefinition, 'doctor'>, ctx: Ctx }

interface Row { module: string, revision: string, checksum: string }

/** Finds applied files that have changed, and tables that differ from what their migrations create. */
export async function checkBranches(
  sql: Sql,
  config: Pick<Config, 'root'>,
  discovered: readonly Discovered[]
): Promise<Finding[]> {
  const rows = await sql<
    Row[]
  >`select module_name as module, revision, checksum from core_migration order by module_name, revision`
  const branches = [
    { module: 'core', folder: join(config.root, 'drizzle') },
    ...discovered.flatMap(({ name, folder, manifest }) =>
      manifest?.migrations ? [{ module: name, folder: join(folder, manifest.migrations) }] : []
    )
  ]
  const foreign = discovered.flatMap(findForeignTriggers)
  const findings: Finding[] = []
  for (const { module, folder } of branches) {
    const applied = rows.filter(row => row.module === module)
    if (applied.length === 0) continue
    const onDisk = readMigrations(folder)
    const changed = applied.flatMap(row => findChanges(row, onDisk))
    findings.push(...changed)
    if (changed.length > 0) continue // changed files don't show what the tables should be
    const migrations = onDisk.filter(({ revision }) => applied.some(row => row.revision === revision))
    findings.push(...(await driftOf(sql, { module, migrations, tables: tablesOf(folder), foreign })))
  }
  return findings
}

function findChanges({ module, revision, checksum }: Row, onDisk: Migration[]): Finding[] {
  const file = onDisk.find(migration => migration.revision === revision)
  const object = `${module}: ${revision}`
  if (!file)
    return [
      {
        code: 'migration_unknown',
        object,
        message: 'It is applied, but this version does not have the file.',
        fix: `Restore the version of ${module} that made it.`
      }
    ]
  if (file.checksum === checksum) return []
  return [
    {
      code: 'migration_changed',
      object,
      message: 'The file is not the one that was applied.',
      fix: 'Restore the released file: otherwise the next migration of this module fails.'
    }
  ]
}

/** A failed comparison is only advice: it proves nothing about the tables. */
async function driftOf(sql: Sql, branch: Parameters<typeof findDrift>[1]): Promise<Finding[]> {
  try {
    return await findDrift(sql, branch)
  } catch (error) {
    return [
      {
        code: 'schema_not_compared',
        object: branch.module,
        message: `The tables could not be compared: ${(error as Error).message}.`,
        fix: 'Run the doctor as the owner of the database.',
        advice: true
      }
    ]
  }
}

/** Each running module checks its own data. If its check throws, that is a finding too. */
export async function askModules(modules: readonly CheckedModule[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { name, definition, ctx } of modules) {
    if (!definition.doctor) continue
    try {
      findings.push(...await definition.doctor(ctx))
    } catch (error) {
      findings.push({
        code: 'doctor_failed',
        object: name,
        message: `It could not check its data: ${(error as Error).message}`,
        fix: `svc modules info ${name}`
      })
    }
  }
  return findings
}

// ---------------------------------------------------------------- advice

const MAX_SKEW_MS = 2000

interface AdviceInput {
  sql: Sql
  config: Pick<Config, 'storage' | 'base_url' | 'trusted_proxies' | 'smtp_url'>
  files: Ctx['files']
  operator_certificate: Parameters<typeof checkOperatorCertificate>[0] | null
  secrets: Ctx['secrets'] | null
}

export async function findAdvice(
  { sql, config, files, operator_certificate, secrets }: AdviceInput
): Promise<Finding[]> {
  const certificate = operator_certificate
    ? checkOperatorCertificate(operator_certificate, new Date(await databaseMs(sql)))
    : await checkClinicCertificates(sql)
  const demo = secrets ? await checkDemoPasswords(sql, secrets) : []
  return [
    ...await checkBackups(config), ...await checkDocumentStore(files), ...await checkClock(sql), ...certificate,
    ...await checkWebhooks(sql), ...await checkLogos(sql), ...checkMail(config), ...checkBaseUrl(config),
    ...demo
  ]
}

async function checkBackups({ storage }: Pick<Config, 'storage'>): Promise<Finding[]> {
  const folder = join(storage, 'backups')
  const nearest = [folder, storage].find(existsSync)
  if (!nearest) return []
  return promisify(access)(nearest, constants.W_OK).then(
    () => [],
    () => [
      {
        code: 'backup_folder',
        object: folder,
        message: 'It is not writable, so no module can be removed with its data.',
        fix: `Give this user write access: chown or mount ${nearest}.`
      }
    ]
  )
}

const databaseMs = async (sql: Sql) =>
  (await sql<{ ms: number }[]>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`)[0]!.ms

async function checkClock(sql: Sql): Promise<Finding[]> {
  const before = Date.now()
  const ms = await databaseMs(sql)
  const after = Date.now()
  const skew = ms < before ? before - ms : Math.max(0, ms - after)
  if (skew <= MAX_SKEW_MS) return []
  return [
    {
      code: 'clock',
      object: 'clock',
      message: `This machine and the database are ${Math.round(skew / 1000)} s apart.`,
      fix: 'Synchronise both with a time server (NTP).'
    }
  ]
}

function checkMail({ smtp_url }: Pick<Config, 'smtp_url'>): Finding[] {
  if (!smtp_url || tlsOf(smtp_url) !== 'never') return []
  const { hostname } = new URL(smtp_url) // the rest may hold a password
  if (isThisMachine(hostname)) return []
  const message
    = `Emails to ${hostname} are not encrypted: the sign-in and public links in them can be read in transit.`
  return [
    {
      code: 'mail_plain',
      object: 'SVC_SMTP_URL',
      message,
      fix: 'Use smtps://, or smtp:// without tls=never where the server has STARTTLS.'
    }
  ]
}

function checkBaseUrl({
  base_url,
  trusted_proxies,
  smtp_url
}: Pick<Config, 'base_url' | 'trusted_proxies' | 'smtp_url'>): Finding[] {
  const { protocol, hostname } = new URL(base_url)
  if (opensHereOnly(hostname))
    return smtp_url
      ? [
          {
            code: 'base_url_local',
            object: base_url,
            message:
              'Emails are sent over SMTP, but their links only work on this machine.',
            fix: 'Set SVC_BASE_URL to the address at which people reach this instance.'
          }
        ]
      : []
  if (protocol === 'http:')
    return [
      {
        code: 'base_url',
        object: base_url,
        message: 'People reach this instance without TLS.',
        fix: 'Put a proxy with TLS in front and set SVC_BASE_URL=https://…'
      }
    ]
  if (trusted_proxies > 0) return []
  return [
    {
      code: 'proxies',
      object: base_url,
      message:
        'A proxy terminates TLS but is not trusted: all callers seem to have its address and share one limit.',
      fix: 'SVC_TRUSTED_PROXIES=1'
    }
  ]
}
