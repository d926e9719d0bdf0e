/** The service as a process that a test can kill. Prints its address; everything else comes from the environment. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp, toNodeListener } from 'h3'
import { readConfig } from '../../../server/core/config.ts'
import { start } from '../../../server/core/runtime.ts'
import { official, root } from '../modules/official.ts'

const { api } = await start(readConfig(process.env, root), official)
const server = createServer(toNodeListener(createApp().use(api.handler)))
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
