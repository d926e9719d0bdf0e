import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineCommand } from 'citty'
import type { Config } from '../server/core/config.ts'
import { refuseRestart } from '../server/core/modules/orphans.ts'
import { assertWritable } from '../server/core/storage-writable.ts'
import { ensureBuilt } from './build/server.ts'
import { configuration, withSql, type CommandData } from './context.ts'
import { reportDemo } from './demo/report.ts'
import { refuseElsewhere } from './demo/seed.ts'
import { failure } from './errors.ts'
import { findInstance, type Instance } from './instance.ts'
import { consola, leave, print, type Result } from './output.ts'
import { runServer, type RunningServer } from './run-server.ts'
import { findFirstSetup, setupText } from './setup/first-code.ts'
import { takeStartLock } from './start-lock.ts'
import { untilReady } from './until-ready.ts'
import { upgradeOfficial } from './upgrade-official.ts'

export default defineCommand({
  meta: {
    name: 'up',
    description: 'Install, build and start what is missing, and print where it runs',
    examples: ['svc up', 'svc up --demo']
  },
  args: {
    demo: { type: 'boolean', description: 'With a demo clinic' },
    json: { type: 'boolean', description: 'Print one JSON document' }
  },
  async run({ args, data }): Promise<Result> {
    const config = configuration()
    const demo = args.demo ?? false
    if (demo) refuseElsewhere(config, false)

    assertWritable(config.storage)
    const running = await findInstanceOrLock(config)
    if (running) {
      await untilReady(running.url)
      consola.info('The instance runs already.')
      return report(config, { url: running.url, demo })
    }

    await refuseTakenPort(config)
    await withSql(refuseRestart)
    await ensureBuilt(config.root, line => consola.start(line))
    const upgrades = await upgradeOfficial()
    if (upgrades.length > 0) consola.info(`Upgrades ${upgrades.join(', ')} to the version of this release.`)
    consola.start('Starting ...')
    const server = runServer(config, { LOG_LEVEL: 'warn', ...(demo ? { SVC_SETUP_FOLLOWS: '1' } : {}) })
    const first = await firstReport(config, server, demo)
    if (typeof first === 'number') return leave(first) // the server has logged why
    print(first, (data as CommandData).asJson)
    consola.info('Ctrl-C stops it.')
    return leave(await server.ended)
  }
})

/** The instance that runs or is starting on this folder, or null once this process has the start lock. */
async function findInstanceOrLock(config: Config): Promise<Instance | null> {
  for (let turn = 0; ; turn++) {
    const running = await findInstance(config)
    if (running || takeStartLock(config)) return running
    if (turn === 0) consola.start('Another start is under way; waiting for it ...')
    await sleep(250)
  }
}

/** The report once the server is ready, or its exit code if it ended before. Stops it if the report fails. */
async function firstReport(config: Config, server: RunningServer, demo: boolean): Promise<Result | number> {
  const reported = server.url.then(async (url) => {
    await untilReady(url)
    return report(config, { url, demo })
  })
  try {
    return await Promise.race([reported, server.ended])
  } catch (error) {
    server.stop(1)
    await server.ended
    throw error
  }
}

async function report(config: Config, { url, demo }: { url: string, demo: boolean }): Promise<Result> {
  return demo ? await reportDemo(config, url) : await reportSetup(config, url)
}

/** Without a clinic, includes how to create the first one. */
async function reportSetup(config: Config, url: string): Promise<Result> {
  const setup = await findFirstSetup(config, url)
  const where = `The instance runs on ${config.base_url}`
  return {
    json: { url: config.base_url, demo: null, ...setup ? { setup } : {} },
    text: setup ? [where, '', setupText(setup)].join('\n') : where
  }
}

/** Checked before half a minute of building. Another program or another folder's instance may use the port. */
async function refuseTakenPort({ host, port }: Config): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.ErrnoException | null>()
  const probe = createServer().once('error', resolve).listen(port, host, () => probe.close(() => resolve(null)))
  const error = await promise
  if (error?.code === 'EADDRINUSE')
    throw failure('port_taken', `Port ${port} is taken by another program.`, `PORT=${port + 1} svc up`)
  if (error)
    throw failure('port_unusable', `Port ${port} of ${host} cannot be opened: ${error.message}`, 'set HOST and PORT')
}
