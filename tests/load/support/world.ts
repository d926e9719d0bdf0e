import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from '../../../cli/build/server.ts'
import { startEmbedded } from '@svc/embedded-postgres'
import { inspect, type Inspector } from '../../bench/support/inspector.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { startBuilt, stop } from '../../support/browser/built-server.ts'
import { createCaller, type Caller } from '../../support/caller.ts'
import { aFolder, freePort } from '../../support/cli.ts'
import { aDisk, type Disk } from '../../support/disk.ts'
import type { OpenApi } from '../../support/fuzz/document.ts'
import { aMailGate } from '../../support/outside/mail-gate.ts'
import { aMailbox, type Mailbox } from '../../support/outside/mailbox.ts'
import { root } from '../../support/modules/official.ts'
import { aProductWithFontsOfItsOwn } from '../../support/browser/product.ts'
import { createAnswers, type Answers } from './answers.ts'
import { chanceOf } from './chance.ts'
import { openClinic, type Clinic } from './clinic.ts'
import { createFaults, type Faults } from './faults.ts'
import { anInbox, type Inbox } from './inbox.ts'

const CLINICS = 4
/** As if there were one proxy in front, so that the load comes from as many addresses as there are patients. */
const SETTINGS = {
  SVC_TRUSTED_PROXIES: '1',
  SVC_WEBHOOK_ALLOW_PRIVATE: 'true',
  SVC_MAIL_FROM: 'clinic@service.test',
  LOG_LEVEL: 'info'
}

/** The built server as a separate process, and every external system that can fail. */
export interface World {
  built: Built
  env: Record<string, string>
  pid: number
  /** Null while it runs. */
  ended (): number | string | null
  /** Its whole output. */
  log (): string
  inspector: Inspector
  clinics: Clinic[]
  answers: Answers
  faults: Faults
  inbox: Inbox
  mailbox: Mailbox
  /** A browser at that address. Its responses are compared with the OpenAPI document. */
  browser (address: string): Caller
  close (): Promise<void>
}

export async function aWorld({ seed, say }: { seed: number, say: (line: string) => void }): Promise<World> {
  await ensureBuilt(root, say)
  const undo: (() => unknown)[] = []
  const opened = <T>(what: T, close: (what: T) => unknown): T => {
    undo.push(() => close(what))
    return what
  }
  const close = async () => {
    for (const step of undo.reverse()) await step()
  }
  try {
    const folder = opened(aFolder(), it => it.remove())
    const product = opened(aProductWithFontsOfItsOwn(), it => it.remove())
    const disk: Disk = opened(aDisk(join(folder.path, 'documents'), { megabytes: 256 }), it => it.remove())
    const embedded = opened(await startEmbedded({ storage: folder.path, root }), it => it.release())
    const mailbox = opened(await aMailbox(), it => it.close())
    const gate = opened(await aMailGate(mailbox.url), it => it.close())
    const inbox = opened(await anInbox(chanceOf(seed, -1)), it => it.close())
    const debugPort = await freePort()
    const env = { ...SETTINGS, DATABASE_URL: embedded.url(), SVC_STORAGE: folder.path, SVC_SMTP_URL: gate.url }
    const { url, server } = await startBuilt({ ...env, NODE_OPTIONS: `--inspect=127.0.0.1:${debugPort}` }, product.root)
    opened(server, stop)
    const printed: string[] = []
    const log = () => printed.join('')
    for (const stream of [server.stdout!, server.stderr!]) stream.on('data', (text: string) => void printed.push(text))
    const inspector = opened(await inspect(debugPort), it => it.close())
    const built = opened(await aBuiltInstance({ url, databaseUrl: env.DATABASE_URL, storage: folder.path }), instance =>
      instance.close()
    )

    const faults = createFaults({ disk, pid: server.pid!, fonts: product.fonts, mailbox, gate, inbox, log })
    const document = await fetch(`${url}/api/v1/openapi.json`).then(answer => answer.json()) as OpenApi
    const answers = createAnswers(document, faults.excuse)
    const browser = (address: string) => answers.from(createCaller(url), address)
    const clinics = await Promise.all(
      Array.from({ length: CLINICS }, (_, at) => openClinic({ built, inbox, answers }, at))
    )
    return {
      built,
      env: { ...env, SVC_BASE_URL: url },
      pid: server.pid!,
      inspector,
      clinics,
      answers,
      faults,
      inbox,
      mailbox,
      browser,
      close,
      log,
      ended: () => server.exitCode ?? server.signalCode
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** For people who read it after a failed run. */
export function keepLog(world: World, file: string): void {
  writeFileSync(file, world.log())
}
