import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from '../../support/modules/official.ts'

/** The result of V8's profiler (`Profiler.stop`, `--cpu-prof`), with times in microseconds. */
export interface CpuProfile {
  nodes: { id: number, callFrame: CallFrame }[]
  samples: number[]
  timeDeltas: number[]
}
interface CallFrame { functionName: string, url: string, lineNumber: number, columnNumber: number }

export interface Share { where: string, seconds: number, percent: number }

/** Idle time of the thread is left out, so the shares are those of its work. */
const IDLE = new Set(['(idle)', '(root)'])

/** The time of a thread by library or by folder of the product, with the largest share first. */
export function sharesOf({ nodes, samples, timeDeltas }: CpuProfile): Share[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const places = new Map<number, string>()
  const spent = new Map<string, number>()
  samples.forEach((id, at) => {
    const frame = frames.get(id)!
    if (IDLE.has(frame.functionName)) return
    if (!places.has(id)) places.set(id, placeOf(frame))
    const place = places.get(id)!
    spent.set(place, (spent.get(place) ?? 0) + timeDeltas[at]! / 1_000_000)
  })
  const total = [...spent.values()].reduce((sum, seconds) => sum + seconds, 0)
  return [...spent]
    .map(([where, seconds]) => ({ where, seconds, percent: 100 * seconds / total }))
    .sort((a, b) => b.seconds - a.seconds)
}

function placeOf(frame: CallFrame): string {
  const { url, functionName } = frame
  if (url === '') return functionName === '(garbage collector)' ? 'garbage collection' : 'V8 and native code'
  if (!url.startsWith('file:')) return `Node (${/^node:(?:internal\/)?([^/]+)/.exec(url)?.[1] ?? url})`
  return folderOf(originOf(frame))
}

const maps = new Map<string, SourceMap | null>()

/** The source file of the bundled code, if a source map has it. */
function originOf({ url, lineNumber, columnNumber }: CallFrame): string {
  const file = fileURLToPath(url)
  if (!maps.has(file)) maps.set(file, mapOf(file))
  const entry = maps.get(file)?.findEntry(lineNumber, columnNumber)
  return entry && 'originalSource' in entry && entry.originalSource ? join(dirname(file), entry.originalSource) : file
}

function mapOf(file: string): SourceMap | null {
  const map = `${file}.map`
  return existsSync(map) ? new SourceMap(JSON.parse(readFileSync(map, 'utf8'))) : null
}

function folderOf(file: string): string {
  const library = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]
  if (library) return library
  return relative(root, file).split('/').slice(0, -1).slice(0, 4).join('/')
}
