import type { Ctx } from '../context.ts'
import type { Json } from '../database.ts'

/**
 * A command of a module: `svc <words of its name>`. Names and summaries are in the manifest, so that help doesn't run
 * any module.
 */
export interface Command {
  /** Arguments after the name, in order. Optional arguments come last. */
  args?: { name: string, description: string, required?: boolean }[]
  /**
   * `options`: the manifest's options that the user gave, a flag as `true`. `progress`: shows one line on a terminal,
   * which the next call overwrites. `runPart` calls `part` in a thread, and throws if there is no `part`. Throw a
   * problem to refuse.
   */
  run (ctx: Ctx, input: {
    args: Record<string, string | undefined>
    options: Record<string, string | true | undefined>
    progress: (line: string) => void
    runPart<Output>(input: unknown): Promise<Output>
  }): Promise<CommandResult>
  /**
   * A part of heavy work that can run in parallel, each in a thread with its own `ctx`. As many parts run at a time as
   * there are processors; the others wait. Input and output are plain data (structured clone). Errors keep their name,
   * message and stack.
   */
  part?(ctx: Ctx, input: unknown): Promise<unknown>
}
/** `text` for people, `json` for `--json`. The exit code is 1 unless `ok`. */
export interface CommandResult { text: string, json: Json, ok: boolean }
