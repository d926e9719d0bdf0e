import * as z from 'zod'

/** Required without a default, because an erasure can't be undone. */
export const EraseRequest = z.strictObject({ dry_run: z.boolean() })

/** What an erasure did, or would do, without any names. */
export const ErasureReport = z.object({
  dry_run: z.boolean(),
  person: z.object({ id: z.uuid() }),
  /** Emptied or removed. */
  erased: z.array(z.object({ module: z.string(), what: z.string(), count: z.int() })),
  /** Documents that the law requires, one file each. */
  held: z.array(
    z.object({ module: z.string(), what: z.string(), object: z.string(), file: z.string(), reason: z.string() })
  ),
  /** The number of email files that are removed. */
  letters: z.int(),
  /** Backups of modules that still contain the person's data. */
  backups: z.array(z.string()),
  /** Modules that couldn't take part: uninstalled with their tables kept, or without the hook. */
  left: z.array(z.object({ module: z.string(), why: z.enum(['kept_data', 'no_hook']) })),
  /** Remaining records that may name the person and need a manual check; absent if there are none. */
  follow_up: z.array(z.object({ module: z.string(), what: z.string(), object: z.string() })).optional()
})
export type ErasureReport = z.infer<typeof ErasureReport>
