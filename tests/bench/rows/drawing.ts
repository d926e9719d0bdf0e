import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { aDraft, aTreatment, BUDGETS } from '../../support/builders.ts'
import { startBuilt, stop } from '../../support/browser/built-server.ts'
import { createCaller, type Caller } from '../../support/caller.ts'
import {
  aClaimingPng, aCmykJpeg, aDeepPng, aJpeg, anInterlacedPng, aPng, aProfileBomb
} from '../../support/browser/pictures.ts'
import type { BenchInstance } from '../support/instance.ts'
import { figure, median, type Figure } from '../support/measure.ts'

const SIZES = { full: [200, 16, 5], smallest: [20, 1, 1] } as const

/** How long other requests wait while documents are drawn, and how much memory malicious logos need. */
export async function drawing(instance: BenchInstance, say: (line: string) => void): Promise<Figure[]> {
  const [lines, drawings, rounds] = SIZES[instance.size]
  const treatment = await aTreatment(await instance.as('admin'))
  const draft = await aDraft(instance, { items: Array.from({ length: lines }, () => ({ treatment_id: treatment.id })) })
  const path = `${BUDGETS}/${draft.id}/pdf`

  say('/livez while PDFs are drawn')
  const slowest: number[] = []
  await onServer(instance, async (staff, url) => {
    await draw(staff, path, 1) // loads the drawing code
    for (let round = 0; round < rounds; round++) slowest.push(await slowestProbe(url, draw(staff, path, drawings)))
  })

  const plain = await picturesOf(false)
  const hostile = await picturesOf(true)
  const peakWith = (pictures: Buffer[]) => onServer(instance, async (staff) => {
    for (let round = 0; round < rounds; round++) {
      await Promise.all([...pictures.map(raw => upload(staff, raw)), draw(staff, path, 4)])
    }
  })
  say('memory with plain logos')
  const base = await peakWith(plain)
  say('memory with hostile logos')
  const measured = await peakWith(hostile)

  return [
    figure({
      name: `/livez while ${drawings} PDFs of ${lines} lines are drawn: slowest answer, median of ${rounds}`,
      baseline: '50 ms', unit: 'ms', base: 50, measured: median(slowest), at_most: 1
    }),
    figure({
      name: 'peak memory with hostile logos, PDFs drawn meanwhile',
      baseline: 'with plain logos', unit: 'MB', base, measured, at_most: 1.3
    })
  ]
}

/** Starts a separate process and returns its peak memory in MB. */
async function onServer(instance: BenchInstance, run: (staff: Caller, url: string) => Promise<void>): Promise<number> {
  const { url, server } = await startBuilt(instance.env)
  try {
    await run(createCaller(url, { bearer: await instance.session('admin') }), url)
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))![1]) / 1024
  } finally {
    await stop(server)
  }
}

async function draw(staff: Caller, path: string, count: number): Promise<void> {
  const answers = await Promise.all(Array.from({ length: count }, () => staff.get(path)))
  for (const { status, body } of answers) if (status !== 200) throw new Error(`a PDF answered ${status} ${body?.code}`)
}

async function slowestProbe(url: string, work: Promise<void>): Promise<number> {
  let [slowest, isOver] = [0, false]
  const done = work.finally(() => { isOver = true })
  while (!isOver) {
    const start = performance.now()
    await (await fetch(`${url}/livez`)).arrayBuffer()
    slowest = Math.max(slowest, performance.now() - start)
    await sleep(2)
  }
  await done
  return slowest
}

async function upload(staff: Caller, raw: Buffer): Promise<void> {
  const type = raw[0] === 0xFF ? 'image/jpeg' : 'image/png'
  const { status } = await staff.put('/api/v1/clinic/logo', undefined, { raw, headers: { 'content-type': type } })
  if (status !== 200 && status !== 422) throw new Error(`a logo answered ${status}`)
}

/** The same number of both kinds. */
async function picturesOf(hostile: boolean): Promise<Buffer[]> {
  const kinds = hostile
    ? [
        anInterlacedPng, aCmykJpeg, aDeepPng, aProfileBomb,
        () => aPng(2000, 2000), () => aJpeg(2000, 2000),
        () => aClaimingPng({ width: 30_000, height: 30_000 }),
        () => aClaimingPng({ width: 2000, height: 2000, rows: 30_000 })
      ]
    : [() => aPng(300, 100), () => aJpeg(300, 100)]
  const once = await Promise.all(kinds.map(async make => await make()))
  return Array.from({ length: 16 }, (_, index) => once[index % once.length]!)
}
