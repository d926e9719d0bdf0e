import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../support/builders.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { aProbe, csv, type Probe } from '../../support/modules/probe.ts'
import { createPeople } from '../../support/people.ts'

describe('an endless file', () => {
  let probe: Probe
  beforeAll(async () => { probe = await aProbe() })
  afterAll(() => probe.close())

  it('is generated as fast as it is read, and ends with its reader', async () => {
    const { body } = await fetch(`${probe.url}/api/v1/probe/csv/endless`)
    const reader = body!.getReader()
    await reader.read()
    let before = -1
    await eventually(async () => {
      const isStill = csv.asked === before
      before = csv.asked
      return isStill
    }, 'the wait for the reader', { every: 200 })
    expect(csv.isEnded).toBe(false)
    await reader.cancel()
    await eventually(async () => csv.isEnded, 'the end of the rows')
  })

  it('is not started for HEAD', async () => {
    const before = csv.asked
    const { status, headers } = await fetch(`${probe.url}/api/v1/probe/csv/endless`, { method: 'HEAD' })
    expect([status, headers.get('content-disposition')]).toEqual([200, 'attachment; filename="things.csv"'])
    expect(csv.asked).toBe(before)
  })

  it('is aborted if its rows cannot be read, so that a partial file does not look complete', async () => {
    const whole = fetch(`${probe.url}/api/v1/probe/csv/failing`).then(answer => answer.text())
    await expect(whole).rejects.toThrow(TypeError)
  })
})

describe('an export of 50,000 patients', () => {
  let instance: Instance
  const ROWS = 50_000
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  const memory = () => {
    gc()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }

  beforeAll(async () => {
    instance = await anInstance()
    await instance.sql`
      insert into clinical_patient (clinic_id, first_name, last_name, locale, notes, search)
      select ${instance.clinic.id}, 'Ana', 'P' || n, 'es', repeat('x', 2000), 'p' || lpad(n::text, 6, '0')
      from generate_series(1, ${ROWS}) n`
  })
  afterAll(() => instance.close())

  it('is complete, with constant memory', async () => {
    const session = await createPeople(() => instance.runtime.host, instance.url).session('admin', instance.clinic)
    const answer = await fetch(`${instance.url}/api/v1/clinical/patients/export.csv`, {
      headers: { authorization: `Bearer ${session}` }
    })
    let [rows, bytes, most, next] = [0, 0, 0, 10_000_000]
    const start = memory()
    for await (const piece of answer.body!) {
      for (const byte of piece) if (byte === 10) rows += 1
      bytes += piece.length
      if (bytes < next) continue
      next += 10_000_000
      most = Math.max(most, memory() - start)
    }
    expect(rows).toBe(ROWS + 1)
    expect(bytes).toBeGreaterThan(100_000_000)
    // Memory that is not collected yet varies. A whole file in memory would show as 100 MB.
    expect(most).toBeLessThan(50_000_000)
  })
})
