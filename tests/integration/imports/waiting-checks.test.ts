import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { until } from '../../support/cli.ts'
import { anUpload, PATIENT_IMPORTS as IMPORTS } from '../../support/imports.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
})
afterAll(() => instance.close())

interface File { staff: Caller, id: string }

/** More than one batch of rows, in a separate clinic. */
async function aFile(): Promise<File> {
  const staff = await instance.as('receptionist', await instance.anotherClinic())
  const rows = Array.from({ length: 600 }, (_, n) => `Name ${n},Family`)
  const { id } = await anUpload(staff, IMPORTS, ['first_name,last_name', ...rows].join('\n'))
  return { staff, id }
}

const check = ({ staff, id }: File, signal?: AbortSignal) => staff.post(`${IMPORTS}/${id}/check`, undefined, { signal })
const get = async ({ staff, id }: File) => (await staff.get(`${IMPORTS}/${id}`)).body.data
const placeOf = async (file: File): Promise<number | null> => (await get(file)).checks_before
const reaches = (file: File, place: number | null) => until(async () => await placeOf(file) === place)

/** Checks read the stored patients, and wait in the middle until `meanwhile` has ended. */
const whilePatientsAreLocked = (meanwhile: () => Promise<void>) => instance.sql.begin(async (tx) => {
  await tx`lock table clinical_patient in access exclusive mode`
  await meanwhile()
})
const countReading = async () => (await instance.sql`
  select 1 from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like '%clinical_patient%'`).length
const begins = () => until(async () => await countReading() === 1)

test('one of four simultaneous checks runs, the others show how many are ahead of them, and all end', async () => {
  const files = [await aFile(), await aFile(), await aFile(), await aFile()]
  const answers: ReturnType<typeof check>[] = []
  await whilePatientsAreLocked(async () => {
    for (const [place, file] of files.entries()) {
      answers.push(check(file))
      if (place === 0) await begins()
      else await reaches(file, place)
    }
    expect(await Promise.all(files.map(placeOf))).toEqual([null, 1, 2, 3])
    expect(await countReading()).toBe(1)
  })
  for (const { status, body } of await Promise.all(answers)) expect([status, body.data.new]).toEqual([200, 600])
  expect(await Promise.all(files.map(placeOf))).toEqual([null, null, null, null])
})

test('a client that disconnects frees its place, and a check without a client ends early', async () => {
  const [runs, leaves, stays] = [await aFile(), await aFile(), await aFile()]
  const [first, second] = [new AbortController(), new AbortController()]
  let last: ReturnType<typeof check> | undefined
  await whilePatientsAreLocked(async () => {
    const running = expect(check(runs, first.signal)).rejects.toThrow('abort')
    await begins()
    const waiting = expect(check(leaves, second.signal)).rejects.toThrow('abort')
    await reaches(leaves, 1)
    last = check(stays)
    await reaches(stays, 2)
    second.abort()
    await waiting
    await reaches(stays, 1)
    first.abort()
    await running
  })
  expect((await last!).status).toBe(200)
  expect((await get(runs)).state).toBe('uploaded')
  expect((await get(leaves)).state).toBe('uploaded')
})

test('the seventh check of a clinic is asked to come back later, and so are waiting checks when the service stops', async () => {
  const file = await aFile()
  const answers: ReturnType<typeof check>[] = []
  let waiting: Awaited<ReturnType<typeof check>>[] = []
  await whilePatientsAreLocked(async () => {
    answers.push(check(file))
    await begins()
    for (let place = 1; place < 7; place++) answers.push(check(file))
    const refused = await Promise.any(answers.slice(1))
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'busy', '30'])
    instance.runtime.drain()
    waiting = await Promise.all(answers.slice(1))
  })
  expect(waiting.map(({ body }) => body.code)).toEqual(Array(6).fill('busy'))
  expect(waiting.filter(({ headers }) => headers.get('retry-after') === '5')).toHaveLength(5)
  expect((await answers[0]!).status).toBe(200)
})
