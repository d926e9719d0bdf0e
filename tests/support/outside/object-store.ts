import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
// @ts-expect-error it has no types
import S3rver from 's3rver'

const BUCKET = 'clinic-documents'
const credentials = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER', AWS_REGION: 'eu-south-2' }

/** An S3 server on loopback, with a bucket. It ignores signatures of version 4 and conditions. */
export async function aBucket() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-s3-'))
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    configureBuckets: [{ name: BUCKET }]
  })
  const { port } = await server.run()
  const endpoint = `http://127.0.0.1:${port}`
  return {
    /** Where the server stores its objects. */
    folder: join(folder, BUCKET),
    endpoint,
    env: { ...credentials, SVC_STORAGE: `s3://${BUCKET}/proofs`, AWS_ENDPOINT_URL_S3: endpoint },
    async close() {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

interface Call { method: string, path: string, headers: IncomingHttpHeaders, body: Buffer }
type Answer = number | [status: number, body: string] | ((response: ServerResponse) => void)

/** A server that records each request and sends the given responses in order; the last one repeats. */
export async function aRecorder() {
  const calls: Call[] = []
  let answers: Answer[] = [200]
  const server = createServer(async (request, response) => {
    calls.push({ method: request.method!, path: request.url!, headers: request.headers, body: await buffer(request) })
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!
    if (typeof answer === 'function') answer(response)
    else if (typeof answer === 'number') response.writeHead(answer).end()
    else response.writeHead(answer[0]).end(answer[1])
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    calls,
    endpoint,
    env: { ...credentials, SVC_STORAGE: `s3://${BUCKET}`, AWS_ENDPOINT_URL: endpoint },
    answer: (...list: Answer[]) => void (answers = list),
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    }
  }
}
