import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createHttpServer } from '../../server/core/http/server.ts'
import { openWire } from '../support/wire.ts'

/** More than the connection limit for all addresses together. */
const FLOOD = 5200
const undo: (() => unknown)[] = []
afterEach(() => {
  for (const step of undo.splice(0).reverse()) step()
})

const ASK = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

test('another address is answered while one address has sent 5,200 incomplete requests', async () => {
  const { server } = createHttpServer((_, response) => response.end('alive'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  undo.push(() => server.close(), () => server.closeAllConnections())
  for (let n = 0; n < FLOOD; n++) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.9' })
    socket.on('error', () => {}).write('GET / HTTP/1.1\r\nHost: x\r\n')
    undo.push(() => socket.destroy())
  }
  const began = performance.now()
  const answers = await Promise.all(Array.from({ length: 20 }, async () => {
    const wire = await openWire(`http://127.0.0.1:${port}`, '127.0.0.2')
    wire.send(ASK)
    return await wire.closed
  }))
  process.stderr.write(`flood: 20 answers within ${((performance.now() - began) / 1000).toFixed(1)} s\n`)
  expect(answers.filter(answer => !answer.endsWith('alive'))).toEqual([])
})
