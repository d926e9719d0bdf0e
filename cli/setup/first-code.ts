import * as z from 'zod'
import type { Config } from '../../server/core/config.ts'
import { withDatabase } from '../context.ts'

/** `code` is null if one was created before, since it can't be shown again. */
export interface FirstSetup { url: string, code: string | null }

const Needed = z.object({ data: z.object({ needed: z.literal(true) }) })

/**
 * For a ready instance: the address for setting up its first clinic, and the code if none was created yet. Null if
 * there is a clinic; the server reports that, so no database is opened.
 */
export async function findFirstSetup(config: Config, url: string): Promise<FirstSetup | null> {
  const answer = await fetch(`${url}/api/v1/setup`, { signal: AbortSignal.timeout(10_000) })
    .then(response => response.json() as unknown, () => null)
  if (!Needed.safeParse(answer).success) return null
  const [{ makeFirstCode }, { createSecrets }] = await Promise.all([
    import('../../server/core/setup/make-code.ts'),
    import('../../server/core/secrets.ts')
  ])
  const code = await withDatabase(({ db }) => makeFirstCode({ db, secrets: createSecrets(config) }))
  return { url: `${config.base_url}/setup`, code }
}

/** Text for people; its last line is a command if there is no code to show. */
export const setupText = ({ url, code }: FirstSetup): string =>
  ['Set-up', `  Link: ${url}`, code ? `  Code: ${code}` : '  Code: made before; for a new one run svc setup code'].join('\n')
