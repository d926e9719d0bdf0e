import { problem, type Problem } from '@svc/kit'
import type { Command } from './commands.ts'

/** One reason for which a command schedules nothing. */
export interface Reason {
  /** The reason. Scripts look for words in it. */
  why: string
  /** The way out in short, such as a command: follows `why` where only reasons are shown. */
  action?: string
  /** The way out as a sentence. Left out: run `action`. */
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
 * `module_refused`: its `detail` says everything in sentences, `reasons` and `hint` are for programs and for the
 * command line.
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
