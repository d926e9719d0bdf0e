import { defineCommand } from 'citty'
import { isBuilt } from './build/server.ts'
import { configuration } from './context.ts'
import { failure } from './errors.ts'
import { runServer } from './run-server.ts'
import { leave } from './output.ts'

export default defineCommand({
  meta: { name: 'start', description: 'Run the built server, and start it again after a restart or a crash' },
  async run() {
    const config = configuration()
    if (!isBuilt(config.root)) throw failure('not_built', 'There is no built server.', 'npm run build, or svc up')
    leave(await runServer(config, { NODE_ENV: 'production' }).ended)
  }
})
