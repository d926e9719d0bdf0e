import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLaterAudit } from './audit/later.ts'
import { createClinics } from './clinics/clinics.ts'
import type { Logger } from '@svc/kit'
import { clock } from './clock.ts'
import type { Config } from './config.ts'
import { openDatabase, type Database } from './db/client.ts'
import { createLocalTransaction } from './db/local-transaction.ts'
import { createCommitsWait } from './db/waiting-commits.ts'
import { readOperatorCertificate } from './documents/operator-certificate.ts'
import { createDocuments } from './documents/seal.ts'
import { createActivity } from './observe/activity.ts'
import { createEvents, createJobs } from './events/publish.ts'
import { createFiles } from './files/index.ts'
import { watchFiles } from './files/watched.ts'
import { refusedConnections } from './http/connections.ts'
import { createLimits } from './http/rate-limit.ts'
import { createCheckQueue } from './imports/check-queue.ts'
import { createUploadLimit } from './imports/upload-limit.ts'
import { createLog } from './log.ts'
import { createMail } from './mail/mail.ts'
import { createMetrics } from './observe/metrics.ts'
import { createTracing } from './observe/tracing.ts'
import { createTrouble } from './observe/trouble.ts'
import { createSecrets } from './secrets.ts'
import type { Registry, Host } from './host.ts'
import { createSettings } from './settings/create-settings.ts'
import { createSetupState } from './setup/setup-state.ts'
import { createThreads } from './threads.ts'
import { createUsers } from './people/accounts/names.ts'

/** Creates the core's services, without running modules yet. Throws ConfigError or DatabaseError. */
export async function openHost(
  config: Config,
  open: (log: Logger) => Promise<Database> = () => openDatabase(config)
): Promise<Host> {
  const operator = await readOperatorCertificate(config)
  const log = createLog(config)
  const database = await open(log)
  const { db } = database
  const secrets = createSecrets(config)
  const boot_id = randomUUID()
  const version = versionOf(config.root)
  const limits = createLimits(db)
  const troubles = { database: createTrouble(), documents: createTrouble() }
  const host: Host = {
    config,
    boot_id,
    version,
    database,
    db,
    localTransaction: createLocalTransaction(database.reads_db),
    commitsWait: createCommitsWait(database.connect({ max: 1, name: 'standby' })),
    log,
    secrets,
    files: watchFiles(createFiles(config), troubles.documents),
    mail: createMail(config, log, () => clock.now(db)),
    clinics: createClinics(database, config),
    users: createUsers(db, secrets),
    operator_certificate: operator,
    documents: createDocuments({ db, config, secrets, log, operator }),
    threads: createThreads(),
    import_checks: createCheckQueue(),
    uploads: createUploadLimit(),
    events: createEvents(name => host.registry.subscribers(name)),
    jobs: createJobs,
    settings: createSettings(() => host),
    limits,
    setup: createSetupState(db),
    audit: createLaterAudit({ db, secrets, limits, log }),
    activity: createActivity(),
    troubles,
    metrics: createMetrics({ refusedConnections }),
    tracing: await createTracing(config, { log, version, boot_id }),
    registry: EMPTY,
    describeApi: () => Promise.reject(new Error('the service is still starting')),
    restart: () => Promise.reject(new Error('the service is still starting'))
  }
  return host
}

const EMPTY: Registry = {
  modules: [],
  broken: [],
  get: () => undefined,
  subscribers: () => [],
  guards: () => [],
  permissions: new Set(),
  permissionsOf: () => new Set(),
  problems: () => ({})
}

const versionOf = (root: string): string =>
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version
