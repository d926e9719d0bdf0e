import { defineCommand } from 'citty'
import { isBuilt } from './build/aside.ts'
import type { Config } from '../server/core/config.ts'
import { assertWritable } from '../server/core/storage-writable.ts'
import { configuration } from './context.ts'
import { CliError, EXIT, failure } from './errors.ts'
import { findInstance } from './instance.ts'
import { runServer, type RunningServer } from './run-server.ts'
import { consola, leave, print } from './output.ts'
import { findFirstSetup, setupText } from './setup/first-code.ts'
import { takeStartLock } from './start-lock.ts'
import { untilReady } from './until-ready.ts'

export default defineCommand({
  meta: {
    name: 'start',
    description: 'Run the built server, and start it again after a restart or a crash',
    examples: ['svc start']
  },
  async run() {
    const config = configuration()
    if (!isBuilt(config.root)) throw failure('not_built', 'There is no built server.', 'npm run build, or svc up')
    assertWritable(config.storage)
    // Two instances would overwrite each other's record, and the other commands would lose the first.
    const isFirst = takeStartLock(config)
    const running = await findInstance(config) // also finds an instance of a release without the lock
    if (running || !isFirst) throw alreadyRuns(running?.url ?? null)
    const server = runServer(config, { NODE_ENV: 'production' })
    void printSetup(config, server).catch((error: Error) => consola.warn(error.message))
    leave(await server.ended)
  }
})

function alreadyRuns(url: string | null): CliError {
  return new CliError({
    code: 'already_running',
    message: url ? `The instance runs already on ${url}.` : 'The instance is being started already.',
    hint: 'stop it first, or give the second one a SVC_STORAGE of its own',
    exit: EXIT.configuration
  })
}

/** Without a clinic, prints how to create the first one. Doesn't delay the start; a failing server logs why itself. */
async function printSetup(config: Config, server: RunningServer): Promise<void> {
  const url = await server.url
  await untilReady(url)
  const setup = await findFirstSetup(config, url)
  if (setup) print({ json: null, text: setupText(setup) }, false)
}
