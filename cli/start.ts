import { defineCommand } from 'citty'
import { isBuilt } from './build/aside.ts'
import { configuration } from './context.ts'
import { failure } from './errors.ts'
import { findInstance } from './instance.ts'
import { runServer } from './run-server.ts'
import { leave } from './output.ts'

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
    leave(await runServer(config, { NODE_ENV: 'production' }).ended)
  }
})
