import { defineCommand } from 'citty'
import { isBuilt } from './build/aside.ts'
import type { Config } from '../server/core/config.ts'
import { configuration } from './context.ts'
import { failure } from './errors.ts'
import { findInstance } from './instance.ts'
import { runServer, type RunningServer } from './run-server.ts'
import { leave, print, say } from './output.ts'
import { findFirstSetup, setupText } from './setup/first-code.ts'
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
    // Two would write one record of what runs here, and the other commands would lose the first.
    const running = await findInstance(config)
    if (running)
      throw failure(
        'already_running',
        `The instance runs already on ${running.url}.`,
        'stop it first, or give the second one a SVC_STORAGE of its own'
      )
    const server = runServer(config, { NODE_ENV: 'production' })
    void printSetup(config, server).catch((error: Error) => say.warn(error.message))
    leave(await server.ended)
  }
})

/** Without a clinic: how to make the first one. Holds nothing up; a server that never gets ready says why itself. */
async function printSetup(config: Config, server: RunningServer): Promise<void> {
  const url = await server.url
  await untilReady(url)
  const setup = await findFirstSetup(config, url)
  if (setup) print({ json: null, text: setupText(setup) }, false)
}
