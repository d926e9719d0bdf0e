import { test } from 'vitest'
import { anInstance } from '../../support/instance.ts'
import { importFile } from '../../../server/core/imports/import-file.ts'
import { examine } from '../../../server/core/imports/examine.ts'
import { listKinds } from '../../../server/core/imports/kinds.ts'
test('perf', async () => {
  const it = await anInstance()
  const N = 20_000
  const bytes = Buffer.from('external_id,first_name,last_name,email,phone,date_of_birth,locale,notes\n' + Array.from({ length: N }, (_, i) => `P${i},María ${i},"García, López ${i}",maria.${i}@example.com,+34 6${String(10000000 + i)},19${String(50 + i % 50)}-0${1 + i % 9}-1${i % 10},es,Some notes about ${i}`).join('\n'))
  const host = it.runtime.host
  const kind = listKinds(host.registry).find(k => k.name === 'patients')!
  const times: Record<string, number> = {}
  for (const name of ['match', 'write', 'read'] as const) {
    const f = kind.kind[name] as any
    kind.kind[name] = ((...a: any[]) => { const s = performance.now(); const r = f(...a); const end = (v: any) => { times[name] = (times[name] ?? 0) + performance.now() - s; return v }; return r?.then ? r.then(end) : end(r) }) as any
  }
  let calls = 0
  const m = kind.kind.match
  kind.kind.match = (async (ctx: any, b: any) => {
    const t0 = performance.now(); calls++; setTimeout(() => {}, 0)
    if (process.env.EX?.split(',').includes(String(calls))) {
      const { sql } = await import('drizzle-orm')
      const tx = { execute: async (q: any) => { const r: any = await b.tx.execute(sql`explain (analyze, buffers) ${q}`); console.log(r.map((x: any) => x['QUERY PLAN']).join('\n')); return b.tx.execute(q) } }
      return m(ctx, { ...b, tx })
    }
    const r = await m(ctx, b); return r
  }) as any
  let s = performance.now(); let c = process.cpuUsage()
  await examine(bytes)
  console.log('examine', performance.now() - s, process.cpuUsage(c))
  for (let n = 0; n < 2; n++) {
    s = performance.now(); c = process.cpuUsage()
    for (const k in times) times[k] = 0
    const o = await importFile(host, { kind, clinic_id: it.clinic.id, bytes, mapping: null, dry_run: false, onProgress() {} })
    console.log('run', performance.now() - s, process.cpuUsage(c), times, o.counts)
  }
  await it.close()
}, 400_000)
