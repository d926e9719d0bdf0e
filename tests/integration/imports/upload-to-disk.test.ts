import { json } from 'node:stream/consumers'
import { readdirSync, readlinkSync } from 'node:fs'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { until } from '../../support/cli.ts'
import { aDisk } from '../../support/disk.ts'
import { anUpload, PATIENT_IMPORTS as IMPORTS, upload } from '../../support/imports.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { createPeople } from '../../support/people.ts'

let instance: Instance
let staff: Caller
let bearer: string
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('receptionist')
  bearer = await createPeople(() => instance.runtime.host, instance.url).session('receptionist', instance.clinic)
})
afterAll(() => instance.close())

const FILE = 'first_name,last_name\nAna,Ruiz\n'
const HEAD = '--XX\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
const folder = () => join(instance.storage, 'uploads')
const countImports = async () => (await instance.sql`select 1 from core_import`).length

/** Sends the body in pieces, so that its length is not announced. */
function beginUpload(headers: Record<string, string> = {}): ClientRequest {
  const sending = request(new URL(IMPORTS, instance.url), {
    method: 'POST',
    headers: {
      'content-type': 'multipart/form-data; boundary=XX', 'authorization': `Bearer ${bearer}`, 'origin': instance.url, ...headers
    }
  })
  sending.on('error', () => {}) // after an abort
  return sending
}

async function answerOf(sending: ClientRequest): Promise<{ status: number, code: string }> {
  const [answer] = await once(sending, 'response') as [IncomingMessage]
  const { code } = await json(answer) as { code: string }
  return { status: answer.statusCode!, code }
}

/** Deleted files in the folder of uploads that this process, which is also the server, still has open. */
function countOpen(): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder())
    } catch {
      return false // closed meanwhile
    }
  }).length
}

test.runIf(process.platform === 'linux')('an aborted upload leaves no file, no open handle and no import', async () => {
  const before = await countImports()
  const sending = beginUpload()
  sending.write(HEAD + FILE)
  await until(async () => countOpen() === 1)
  expect(readdirSync(folder())).toEqual([])
  sending.destroy()
  await until(async () => countOpen() === 0)
  expect(readdirSync(folder())).toEqual([])
  expect(await countImports()).toBe(before)

  await anUpload(staff, IMPORTS, FILE)
  await until(async () => countOpen() === 0)
  expect(readdirSync(folder())).toEqual([])
})

test('a clinic can upload five files at once, and the sixth is refused', async () => {
  const running = Array.from({ length: 5 }, () => beginUpload())
  for (const sending of running) sending.write(HEAD + FILE)
  await until(async () => countOpen() === 5)
  const sixth = beginUpload()
  sixth.write(HEAD + FILE)
  expect(await answerOf(sixth)).toEqual({ status: 503, code: 'busy' })
  sixth.destroy()
  for (const sending of running) sending.destroy()
  await until(async () => countOpen() === 0)
  await anUpload(staff, IMPORTS, FILE)
})

test('two files in one upload are refused', async () => {
  const sending = beginUpload()
  sending.end(`${HEAD}${FILE}\r\n${HEAD}${FILE}\r\n--XX--\r\n`)
  expect(await answerOf(sending)).toEqual({ status: 422, code: 'validation_failed' })
})

test.each([
  ['a file', `${HEAD}first_name,last_name\n${'Ana,Ruiz\n'.repeat(2_222_222)}`],
  ['a body', `--XX\r\nContent-Disposition: form-data; name="mapping"\r\n\r\n{}\r\n${HEAD}${FILE}\r\n--XX--\r\n${' '.repeat(20_200_000)}`]
])('%s of more than 20 MB whose length is not announced is refused while it is sent', async (_what, body) => {
  const sending = beginUpload()
  for (let at = 0; at < body.length; at += 1_000_000) sending.write(body.slice(at, at + 1_000_000))
  expect(await answerOf(sending)).toEqual({ status: 413, code: 'payload_too_large' })
  sending.destroy()
})

test('a body whose announced length is too large, or that is encoded, is refused before it is sent', async () => {
  const large = beginUpload({ 'content-length': '20200000' })
  large.write(HEAD)
  expect(await answerOf(large)).toEqual({ status: 413, code: 'payload_too_large' })
  large.destroy()
  const encoded = beginUpload({ 'content-encoding': 'gzip' })
  encoded.write(HEAD)
  expect(await answerOf(encoded)).toEqual({ status: 415, code: 'unsupported_media_type' })
  encoded.destroy()
})

test('while the disk is full uploads are 503 storage_full, and they succeed once there is space', async () => {
  const before = await countImports()
  const disk = aDisk(folder(), { megabytes: 1 })
  try {
    disk.fill(process.pid)
    const full = await upload(staff, IMPORTS, FILE + 'Eva,Sol\n'.repeat(1000))
    disk.free(process.pid)
    expect(full).toMatchObject({ status: 503, body: { code: 'storage_full' } })
    expect(full.headers.get('retry-after')).toBe('30')
    expect(await countImports()).toBe(before)
    await anUpload(staff, IMPORTS, FILE)
  } finally {
    disk.remove()
  }
})

test('the same upload with the same Idempotency-Key is accepted once', async () => {
  const body = `${HEAD}${FILE}\r\n--XX--\r\n`
  const send = () => staff.post(IMPORTS, undefined, {
    raw: body,
    headers: { 'content-type': 'multipart/form-data; boundary=XX', 'idempotency-key': 'upload once' }
  })
  const [first, second] = [await send(), await send()]
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.body).toEqual(first.body)
})
