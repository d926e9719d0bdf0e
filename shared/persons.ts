import * as z from 'zod'

/** Said, not assumed: what it does cannot be undone. */
export const EraseRequest = z.strictObject({ dry_run: z.boolean() })

/** What an erasure did, or would do. It names nobody. */
export const ErasureReport = z.object({
  dry_run: z.boolean(),
  person: z.object({ id: z.uuid() }),
  /** Emptied or removed. */
  erased: z.array(z.object({ module: z.string(), what: z.string(), count: z.int() })),
  /** What the law keeps: a file each. */
  held: z.array(
    z.object({ module: z.string(), what: z.string(), object: z.string(), file: z.string(), reason: z.string() })
  ),
  /** Mail files that are removed. */
  letters: z.int(),
  /** Backups of modules that hold the person still. */
  backups: z.array(z.string()),
  /** Modules that nobody could ask: taken out with their tables left, or without a hook for it. */
  left: z.array(z.object({ module: z.string(), why: z.enum(['kept_data', 'no_hook']) })),
  /** What stays and may name the person, for people to look at; absent when nothing was found. */
  follow_up: z.array(z.object({ module: z.string(), what: z.string(), object: z.string() })).optional()
})
export type ErasureReport = z.infer<typeof ErasureReport>
