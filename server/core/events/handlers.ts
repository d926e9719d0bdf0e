import { join } from 'node:path'
import type { EventEnvelope } from '@svc/kit'
import { trimAudit } from '../audit/trim-audit.ts'
import { CORE } from '../core-module.ts'
import {
  pruneChannelMessages, pruneDeliveries, pruneIdempotency, pruneImports, pruneLimits, pruneSessions
} from '../db/prune.ts'
import { fillDemo } from '../demo/demo.ts'
import { removeUnfinished } from '../files/remove-unfinished.ts'
import { uploadsFolder } from '../imports/file/uploaded-file.ts'
import { IMPORT_JOB, workOnImport } from '../imports/import-job.ts'
import { pruneOldMails, REMOVE_LETTERS, removeMails, type MailFilter } from '../mail/remove-mail-files.ts'
import type { RunningModule, Host } from '../host.ts'

const coreJobs: Record<string, (host: Host, payload: unknown) => Promise<void>> = {
  demo: fillDemo,
  async prune(host) {
    await pruneLimits(host.db)
    await pruneIdempotency(host.db)
    await pruneDeliveries(host.db)
    await pruneChannelMessages(host.db)
    await pruneSessions(host.db)
    await pruneImports(host.db)
    await pruneOldMails(host)
  },
  async unfinished({ config, log }) {
    const count = await removeUnfinished(join(config.storage, 'documents'))
      + await removeUnfinished(uploadsFolder(config.storage), () => true)
    if (count > 0) log.info('documents.unfinished_removed', { count })
  },
  trim_audit: trimAudit,
  [IMPORT_JOB]: workOnImport,
  [REMOVE_LETTERS]: (host, payload) => removeMails(host, payload as MailFilter)
}

export interface Handlers {
  event(event: EventEnvelope): Promise<void>
  job(name: string, payload: unknown, info: { attempt: number }): Promise<void>
}

/** Null if the module does not run in this process. */
export function findHandlers(host: Host, module: string): Handlers | null {
  if (module === CORE) return ofCore(host)
  const running = host.registry.get(module)
  return running ? ofModule(running) : null
}

const ofModule = ({ definition, ctx }: RunningModule): Handlers => ({
  /** Skipped if this version of the module no longer subscribes. */
  async event(event) {
    await definition.on?.[event.name]?.(event, ctx)
  },
  async job(name, payload, info) {
    const job = definition.jobs?.[name]
    if (!job) throw new Error(`this version of the module has no job ${name}`)
    await job.run(payload, ctx, info)
  }
})

const ofCore = (host: Host): Handlers => ({
  async event() {},
  async job(name, payload) {
    const job = coreJobs[name]
    if (!job) throw new Error(`this version has no job ${name}`)
    await job(host, payload)
  }
})
