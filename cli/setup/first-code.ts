import * as z from 'zod'
import type { Config } from '../../server/core/config.ts'
import { withDatabase } from '../context.ts'

/** `code` is null when one was made before: no one can show it again. */
export interface FirstSetup { url: string, code: string | null }

const Needed = z.object({ data: z.object({ needed: z.literal(true) }) })

/**
 * Of an instance that is ready: where its first clinic is set up, with the code when none was made yet. Null when there
 * is a clinic; the server says so, and no database is opened.
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

/** For people; the last line is a command where there is nothing to show. */
export const setupText = ({ url, code }: FirstSetup): string =>
  ['Set-up', `  Link: ${url}`, code ? `  Code: ${code}` : '  Code: made before; for a new one run svc setup code'].join('\n')
