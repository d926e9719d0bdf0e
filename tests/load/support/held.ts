import { readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type postgres from 'postgres'
import type { Inspector } from '../../bench/support/inspector.ts'

const SAMPLES = 6
const APART_MS = 4000

/** The resources that an idle process holds. */
export interface Held extends Record<string, number> {
  /** Bytes on the heap after a garbage collection. */
  heap: number
  /** Open files and sockets. */
  descriptors: number
  /** Timers, sockets and other handles that keep an event loop alive. */
  handles: number
  /** The listeners of all emitters together. */
  listeners: number
  /** Connections to the database. */
  connections: number
}

interface Process { inspector: Inspector, pid: number, sql: postgres.Sql }

/** The lowest of some samples, because a single one can include a socket or a timer that is about to close. */
export async function whatIsHeld(process: Process): Promise<Held> {
  const samples = [await sample(process)]
  while (samples.length < SAMPLES) {
    await pause(APART_MS)
    samples.push(await sample(process))
  }
  const least = (what: keyof Held) => Math.min(...samples.map(held => held[what]!))
  return {
    heap: least('heap'),
    descriptors: least('descriptors'),
    handles: least('handles'),
    listeners: least('listeners'),
    connections: least('connections')
  }
}

async function sample({ inspector, pid, sql }: Process): Promise<Held> {
  for (let round = 0; round < 3; round++) await inspector.call('HeapProfiler.collectGarbage')
  const { usedSize } = await inspector.call('Runtime.getHeapUsage')
  const {
    result: { value: handles }
  } = await inspector.call('Runtime.evaluate', {
    expression: 'process.getActiveResourcesInfo().length',
    returnByValue: true
  })
  const [row]
    = await sql`select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name not in ('test', '')`
  return {
    heap: usedSize,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    handles,
    listeners: await listenersOf(inspector),
    connections: row!.count
  }
}

async function listenersOf(inspector: Inspector): Promise<number> {
  const group = { objectGroup: 'listeners' }
  const { result: prototype } = await inspector.call('Runtime.evaluate', {
    expression: 'process.getBuiltinModule(\'node:events\').prototype',
    ...group
  })
  const { objects } = await inspector.call('Runtime.queryObjects', { prototypeObjectId: prototype.objectId, ...group })
  const { result } = await inspector.call('Runtime.callFunctionOn', {
    objectId: objects.objectId,
    functionDeclaration: `function () {
      return this.reduce((sum, one) => one._events ? sum + one.eventNames().reduce((count, name) => count + one.listenerCount(name), 0) : sum, 0)
    }`,
    returnByValue: true
  })
  await inspector.call('Runtime.releaseObjectGroup', group)
  return result.value
}
