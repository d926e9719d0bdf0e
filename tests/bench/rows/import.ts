import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { startBuilt, SECRET, stop } from '../../support/browser/built-server.ts'
import { createCaller, type Caller } from '../../support/caller.ts'
import { anUpload, endOf, PATIENT_IMPORTS } from '../../support/imports.ts'
import { root } from '../../support/modules/official.ts'
import type { BenchInstance } from '../support/instance.ts'
import { figure, took, type Figure } from '../support/measure.ts'

const ROWS = { full: 100_000, smallest: 1_000 }
const LIMIT_MS = 60_000
const MB = 1024

/**
 * A file of 100,000 patients through the server's job and through `svc import`, compared with PostgreSQL's own COPY.
 */
export async function importPatients(instance: BenchInstance, say: (line: string) => void): Promise<Figure[]> {
  const rows = ROWS[instance.size]
  const name = `${rows.toLocaleString('en')} patients`
  const csv = aFile(rows)
  say(`${(csv.length / 1e6).toFixed(1)} MB`)
  const server = await importByServer(instance, csv, rows)
  say(`server: ${Math.round(server.ms)} ms, ${Math.round(server.idle / MB)} → ${Math.round(server.peak / MB)} MB`)
  const checks = await checkFourAtOnce(instance, csv, rows)
  say(`four checks: ${Math.round(checks.idle / MB)} → ${Math.round(checks.peak / MB)} MB`)
  const copy = await copyRows(instance, server.clinic)
  say(`COPY: ${Math.round(copy)} ms`)
  const command = await importByCommand(instance, csv)
  say(`svc import: ${Math.round(command.ms)} ms, ${Math.round(command.peak / MB)} MB`)
  const within = (name: string, ms: number) =>
    figure({ name, baseline: 'a minute', unit: 'ms', base: LIMIT_MS, measured: ms, at_most: 1 })
  const megabytes = (name: string, baseline: string, base: number, kilobytes: number) =>
    figure({ name, baseline, unit: 'MB', base, measured: kilobytes / MB, at_most: 1 })
  const beside = { baseline: 'COPY of the same rows into bare tables with the same indexes', unit: 'ms', base: copy }
  return [
    figure({ name: `import of ${name} by the server`, ...beside, measured: server.ms, at_most: 4 }),
    within(`import of ${name} by the server, in time`, server.ms),
    within(`svc import of ${name}, in time`, command.ms),
    megabytes('memory of the server above idle', '150 MB', 150, server.peak - server.idle),
    megabytes(`memory of the server above idle, four checks of ${name} at once`, '150 MB', 150, checks.peak - checks.idle),
    megabytes('memory of svc import', '300 MB', 300, command.peak)
  ]
}

const person = (n: number) => ({
  external_id: `P${n}`,
  first_name: `María ${n % 997}`,
  last_name: `Fernández ${n}`,
  email: `patient${n}@example.test`,
  phone: `+34 6${String(n).padStart(8, '0')}`,
  date_of_birth: `19${50 + n % 50}-0${1 + n % 9}-1${n % 10}`,
  locale: 'es',
  notes: 'Prefers the morning.'
})
const HEADER = Object.keys(person(0)).join(',')
const aFile = (rows: number) =>
  Buffer.from([HEADER, ...Array.from({ length: rows }, (_, n) => Object.values(person(n)).join(','))].join('\r\n'))

/** The rows that the server has written, written again. */
async function copyRows({ sql }: BenchInstance, clinic: { id: string }): Promise<number> {
  const patient = 'id, clinic_id, first_name, last_name, email, phone, date_of_birth, locale, notes, search'
  const external = 'clinic_id, system, external_id, patient_id'
  await sql.unsafe(`
    drop table if exists bench_clinical_patient, bench_clinical_patient_external_id;
    create table bench_clinical_patient (like clinical_patient including all);
    create table bench_clinical_patient_external_id (like clinical_patient_external_id including all)`)
  let ms = 0
  for (const [table, columns] of [['clinical_patient', patient], ['clinical_patient_external_id', external]] as const) {
    const rows = await sql.unsafe(`select ${columns.replace('date_of_birth', 'date_of_birth::text')} from ${table} where clinic_id = $1`, [clinic.id]).values()
    ms += await took(async () => {
      const writable = await sql.unsafe(`copy bench_${table} (${columns}) from stdin`).writable()
      await pipeline(Readable.from(rows.map(row => `${row.join('\t')}\n`)), writable)
    })
  }
  await sql`drop table bench_clinical_patient, bench_clinical_patient_external_id`
  return ms
}

const importByServer = (instance: BenchInstance, csv: Buffer, rows: number) => byServer(instance, async (staff) => {
  const { id } = await anUpload(staff, PATIENT_IMPORTS, csv)
  const { status } = await staff.post(`${PATIENT_IMPORTS}/${id}/run`)
  if (status !== 202) throw new Error(`run answered ${status}`)
  const { counts } = await endOf(staff, PATIENT_IMPORTS, id, 600)
  if (counts.new !== rows) throw new Error(`the import ended with ${JSON.stringify(counts)}`)
})

const checkFourAtOnce = (instance: BenchInstance, csv: Buffer, rows: number) => byServer(instance, async (staff) => {
  const ids: string[] = []
  while (ids.length < 4) ids.push((await anUpload(staff, PATIENT_IMPORTS, csv)).id)
  const answers = await Promise.all(ids.map(id => staff.post(`${PATIENT_IMPORTS}/${id}/check`)))
  for (const { status, body } of answers)
    if (body?.data?.new !== rows) throw new Error(`a check answered ${status}: ${JSON.stringify(body)}`)
})

/** A separate server, so that the idle memory is that of a server that has only answered some requests. */
async function byServer(instance: BenchInstance, work: (staff: Caller) => Promise<void>) {
  const clinic = await instance.anotherClinic()
  const bearer = await instance.session('admin', clinic)
  const { url, server } = await startBuilt(instance.env)
  try {
    const staff = createCaller(url, { bearer })
    for (let n = 0; n < 50; n++) await staff.get('/api/v1/clinical/patients')
    const idle = memoryOf(server.pid!)
    const ms = await took(() => work(staff))
    return { clinic, ms, idle: idle.now, peak: memoryOf(server.pid!).peak }
  } finally {
    await stop(server)
  }
}

async function importByCommand(instance: BenchInstance, csv: Buffer) {
  const clinic = await instance.anotherClinic()
  const file = join(instance.storage, 'patients.csv')
  writeFileSync(file, csv)
  let peak = 0
  const ms = await took(async () => {
    const env = { ...process.env, ...instance.env, SVC_SECRET: SECRET }
    const words = ['import', 'patients', file, '--clinic', clinic.id]
    const command = spawn(join(root, 'bin/svc'), words, { env, stdio: 'ignore' })
    const poll = setInterval(() => { peak = Math.max(peak, memoryOf(command.pid!).peak) }, 100)
    const [code] = await once(command, 'exit')
    clearInterval(poll)
    if (code !== 0) throw new Error(`svc import ended with ${code}`)
  })
  return { ms, peak }
}

/** Resident memory in kilobytes, as Linux counts it, or zeros once the process has ended. */
function memoryOf(pid: number): { now: number, peak: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0)
    return { now: read('VmRSS'), peak: read('VmHWM') }
  } catch {
    return { now: 0, peak: 0 }
  }
}
