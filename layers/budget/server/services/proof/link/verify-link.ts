import type { Ctx } from '@svc/kit'
import type { Proof } from '../../../db/proof.ts'
import { findLinkPath } from '../../link/link-state.ts'
import { codeOf, isLinkSealed, isShortSealed } from '../../link/row-seals.ts'
import { compareWithBackup, type Fault } from '../fault.ts'

type Link = NonNullable<Proof['link']>

/** Checks that the link, short address and code of a version were written by the service. */
export function verifyLink(ctx: Pick<Ctx, 'secrets'>, { link }: Proof): Fault[] {
  if (!link || (isOwnLink(ctx, link) && isOwnShort(ctx, link) && isOwnCode(ctx, link))) return []
  return [{
    code: 'link_changed',
    message: 'Its link, short address or code was changed directly in the database.',
    fix: `Send a new link and set a new code. ${compareWithBackup('the link')}`
  }]
}

const isOwnLink = (ctx: Pick<Ctx, 'secrets'>, link: Link): boolean =>
  link.token_hash === null && link.token_seal === null
    ? link.token_sealed === null
    : isLinkSealed(ctx.secrets, link) && findLinkPath(ctx, link) !== 'changed'

const isOwnShort = ({ secrets }: Pick<Ctx, 'secrets'>, link: Link): boolean =>
  (link.short_hash === null && link.short_seal === null) || isShortSealed(secrets, link)

const isOwnCode = ({ secrets }: Pick<Ctx, 'secrets'>, link: Link): boolean =>
  (link.code_hash === null && link.code_seal === null) || codeOf(secrets, link) !== null
