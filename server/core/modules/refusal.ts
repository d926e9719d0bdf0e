import { problem, type Problem } from '@svc/kit'
import type { Command } from './commands.ts'

/** One reason why a command schedules nothing. */
export interface Reason {
  /** The reason. Scripts search it for words. */
  why: string
  /** A short solution, such as a command, shown after `why` where only reasons are listed. */
  action?: string
  /** The solution as a sentence. If omitted: run `action`. */
  fix?: string
}

export const textOf = ({ why, action }: Reason) => action ? `${why}: ${action}` : why

const HEADS: Record<Command, (name: string) => string> = {
  install: name => `Cannot install ${name}`,
  upgrade: name => `Cannot upgrade ${name}`,
  uninstall: name => `Cannot uninstall ${name}`,
  orphan: name => `Cannot mark ${name} as uninstalled`,
  cancel: name => `Cannot cancel what is scheduled for ${name}`
}

/**
 * `module_refused`: `detail` has everything in sentences; `reasons` and `hint` are for programs and for the command
 * line.
 */
export function refusal(
  { command, name }: { command: Command, name: string },
  { reasons, hint }: { reasons: Reason[], hint?: string }
): Problem {
  const fixes = new Set(reasons.flatMap(({ action, fix }) => fix ?? (action ? `Run ${action}.` : [])))
  const detail = [
    `${HEADS[command](name)}: ${reasons.map(({ why }) => why.replace(/\.$/, '')).join('; ')}.`,
    ...fixes
  ].join(' ')
  return problem('module_refused', { detail, reasons: reasons.map(textOf), ...(hint ? { hint } : {}) })
}
