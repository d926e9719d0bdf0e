import type { Ctx } from '@svc/kit'
import { codeOf } from '../services/link/row-seals.ts'
import { draftStory, readCast, type Cast } from './draft.ts'
import { ENDINGS } from './endings.ts'
import { findByNote, findOpenLinks } from './rows.ts'
import { DEMO_CODE, OPEN_STORY, STORIES, type Story } from './stories.ts'

interface At { clinic_id: string, user_id: string }

/**
 * Budgets in every state, and one that is always open. A story that exists already stays as it was left; one
 * that a crash cut short while it was a draft goes on.
 */
export async function fillDemo(ctx: Ctx, at: At): Promise<void> {
  const cast = await readCast(ctx, at.clinic_id)
  for (const story of STORIES) await ensureStory(ctx, at, cast, story)
  if (!await hasOpenOne(ctx, at)) await createFromStory(ctx, at, cast, OPEN_STORY)
}

async function ensureStory(ctx: Ctx, at: At, cast: Cast, story: Story): Promise<void> {
  const [found] = await findByNote(ctx.db, { clinic_id: at.clinic_id, note: story.note })
  if (!found) return await createFromStory(ctx, at, cast, story)
  if (found.status === 'draft') await ENDINGS[story.ending](ctx, { ...at, budget: found })
}

async function createFromStory(ctx: Ctx, at: At, cast: Cast, story: Story): Promise<void> {
  const budget = await draftStory(ctx, { ...at, cast, story })
  if (budget) await ENDINGS[story.ending](ctx, { ...at, budget })
}

/** Also with the code that the demo promises: it may have been changed. */
async function hasOpenOne(ctx: Ctx, { clinic_id }: At): Promise<boolean> {
  const [newest] = await findOpenLinks(ctx.db, { clinic_id, note: OPEN_STORY.note })
  const code_hash = codeOf(ctx.secrets, newest ?? null)
  return code_hash !== null && await ctx.secrets.verify(DEMO_CODE, code_hash)
}
