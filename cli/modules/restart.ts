import { defineCommand } from 'citty'
import { configuration } from '../context.ts'
import type { Result } from '../output.ts'
import { howToRestart } from './restart-hint.ts'

/** Restarts nothing itself: whatever runs the server does. */
export default defineCommand({
  meta: { name: 'restart', description: 'Say how this instance is restarted' },
  args: { json: { type: 'boolean', description: 'Print one JSON document' } },
  async run(): Promise<Result> {
    const hint = await howToRestart(configuration())
    return { json: hint, text: hint.steps.join('\n') }
  }
})
