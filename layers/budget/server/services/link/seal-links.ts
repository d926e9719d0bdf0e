import type { HookCtx } from '@svc/kit'
import { hasSealedLinks, listLinksAfter, saveLinkSeals } from '../../db/upgrades/link-upgrade.ts'
import { endAllSessions } from '../../db/sessions.ts'
import { codeSeal, digestLookUp, linkSeal } from './row-seals.ts'

const FIRST = '00000000-0000-0000-0000-000000000000'

/** Releases that stored a plain SHA-256 of a token. */
const isEarlier = (version: string) => /^0\.[0-3]\./.test(version)

/**
 * Runs once, in the upgrade: links and codes of earlier releases remain valid. If any row has a seal, this has already
 * run, and a row without one was not written by the service. Sessions end; the code opens the next one.
 */
export async function sealLinks(ctx: HookCtx, from_version: string): Promise<void> {
  if (!isEarlier(from_version) || await hasSealedLinks(ctx.db)) return
  await endAllSessions(ctx.db)
  let count = 0
  for (let after = FIRST; ;) {
    const rows = await listLinksAfter(ctx.db, after)
    if (rows.length === 0) break
    await saveLinkSeals(ctx.db, rows.map(({ budget_id, clinic_id, token_hash: digest, code_hash }) => {
      const token_hash = digest && digestLookUp(ctx.secrets, digest)
      return {
        budget_id, token_hash,
        token_seal: token_hash && linkSeal(ctx.secrets, { budget_id, clinic_id, token_hash }),
        code_seal: code_hash === null ? null : codeSeal(ctx.secrets, { budget_id, clinic_id, code_hash })
      }
    }))
    count += rows.length
    after = rows.at(-1)!.budget_id
  }
  ctx.log.info('budget.links_sealed', { count })
}
