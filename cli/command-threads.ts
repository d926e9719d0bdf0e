import { availableParallelism } from 'node:os'
import type { Command } from '@svc/kit'
import { createThreads } from '../server/core/threads.ts'
import type { PartOfCommand } from './command.thread.ts'

/** In the bundle this code is in a chunk, and the thread's file is beside the bundle. */
const FILE = new URL(import.meta.url.endsWith('.ts') ? './command.thread.ts' : '../command.thread.mjs', import.meta.url)
const LIMITS = {
  threads: availableParallelism(),
  waiting: Infinity,
  timeout_ms: 600_000
}

/** The first call starts a thread. `close` ends all threads. */
export function createCommandThreads(module: string, command: string) {
  const threads = createThreads(LIMITS)
  const runPart: Parameters<Command['run']>[1]['runPart'] = input =>
    threads.run(FILE, { module, command, input } satisfies PartOfCommand)
  return { runPart, close: () => threads.close() }
}
