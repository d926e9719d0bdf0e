import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { createHttpServer } from '../../../server/core/http/server.ts'
import { closeServer, announceConnectionClose } from '../../../server/core/http/stop.ts'
import { openWire, parseAnswers } from '../../support/wire.ts'

async function serve(listener: (request: IncomingMessage, response: ServerResponse) => void) {
  const { server, connections } = createHttpServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => closeServer(server, connections),
    announceConnectionClose: () => announceConnectionClose(connections)
  }
}

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

describe('a closing server', () => {
  it('completes requests in progress and closes idle and silent connections', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<unknown>()
    const { url, close } = await serve((_, response) => void gate.then(() => response.end('whole')))
    const [busy, silent] = [await openWire(url), await openWire(url)]
    busy.send(GET)
    const closed = close()
    expect(await silent.closed).toBe('')
    open(null)
    await closed
    expect(parseAnswers(await busy.closed)[0]!.text).toBe('whole')
  })

  it('answers requests that have arrived unread on idle connections', async () => {
    const { url, close } = await serve((_, response) => void response.end('whole'))
    const wires = await Promise.all(Array.from({ length: 20 }, () => openWire(url)))
    for (const wire of wires) wire.send(GET)
    await expect.poll(() => wires.every(wire => wire.soFar().includes('whole'))).toBe(true)
    for (const wire of wires) wire.send(GET) // written at once: the server has not read it yet
    await close()
    for (const wire of wires)
      expect(parseAnswers(await wire.closed).map(({ text }) => text)).toEqual(['whole', 'whole'])
  })

  it('completes a response that its client reads slowly', async () => {
    const file = Buffer.alloc(30_000_000, 'x')
    const { url, close } = await serve(({ url }, response) => void response.end(url === '/file' ? file : 'small'))
    const [slow, idle] = [await openWire(url), await openWire(url)]
    slow.send('GET /file HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => slow.soFar()).toContain('HTTP/1.1 200')
    slow.socket.pause()
    idle.send(GET)
    await expect.poll(() => idle.soFar()).toContain('small')
    const closed = close()
    await idle.closed // read and released
    slow.socket.resume()
    await closed
    expect(parseAnswers(await slow.closed)[0]!.text.length).toBe(file.length)
  })

  it('does not wait for a connection that becomes idle later', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<unknown>()
    const { url, close } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 5 }).write('who')
      void gate.then(() => response.end('le'))
    })
    const wire = await openWire(url)
    wire.send(GET)
    await expect.poll(() => wire.soFar()).toContain('who')
    const closed = close()
    open(null)
    await closed
    const [answer] = parseAnswers(await wire.closed)
    expect([answer!.text, answer!.headers.get('connection')]).toEqual(['whole', 'keep-alive'])
  })

  it('adds `connection: close` to responses in progress', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<unknown>()
    const arrived = vi.fn()
    const { url, close, announceConnectionClose } = await serve((_, response) => {
      arrived()
      void gate.then(() => response.writeHead(200, { 'content-length': 4 }).end('fine'))
    })
    const wire = await openWire(url)
    wire.send(GET)
    await expect.poll(() => arrived).toHaveBeenCalled()
    announceConnectionClose()
    open(null)
    expect(parseAnswers(await wire.closed)[0]!.headers.get('connection')).toBe('close')
    await close()
  })
})
