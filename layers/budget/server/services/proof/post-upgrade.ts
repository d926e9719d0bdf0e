import type { HookCtx } from '@svc/kit'
import { sealEarlierBudgets } from './seal-earlier-budgets.ts'
import { sealLinks } from '../link/seal-links.ts'

/** Adds this release's seals to rows of earlier releases. */
export async function postUpgrade(ctx: HookCtx, from_version: string): Promise<void> {
  await sealLinks(ctx, from_version)
  await sealEarlierBudgets(ctx, from_version)
}
