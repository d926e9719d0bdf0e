import type { Ctx } from '@svc/kit'
import { codeOf } from '../services/link/row-seals.ts'
import { draftStory, readDemoPeople, type DemoPeople } from './draft.ts'
import { ENDINGS } from './endings.ts'
import { findByNote, findOpenLinks } from './rows.ts'
import { listTemplates } from '../services/templates/list-templates.ts'
import { saveTemplate } from '../services/templates/save-template.ts'
import { DEMO_CODE, OPEN_STORY, STORIES, TEMPLATE, type Story } from './stories.ts'

interface At { clinic_id: string, user_id: string }

/**
 * Creates budgets in every state, and one that is always open. An existing story is not changed; one that a crash
 * interrupted while it was a draft continues.
 */
export async function fillDemo(ctx: Ctx, at: At): Promise<void> {
  const cast = await readDemoPeople(ctx, at.clinic_id)
  for (const story of STORIES) await ensureStory(ctx, at, cast, story)
  if (!await hasOpenOne(ctx, at)) await createFromStory(ctx, at, cast, OPEN_STORY)
  await ensureTemplate(ctx, at)
}

/** The template of the budget in which the patient chooses. It is created again if it was renamed or removed. */
async function ensureTemplate(ctx: Ctx, { clinic_id, user_id }: At): Promise<void> {
  const { total } = await listTemplates(ctx, { clinic_id, search: TEMPLATE.name, page: 1, page_size: 1 })
  const [budget] = await findByNote(ctx.db, { clinic_id, note: TEMPLATE.note })
  if (total === 0 && budget)
    await saveTemplate(ctx, { clinic_id, user_id, name: TEMPLATE.name, budget_id: budget.id })
}

async function ensureStory(ctx: Ctx, at: At, cast: DemoPeople, story: Story): Promise<void> {
  const [found] = await findByNote(ctx.db, { clinic_id: at.clinic_id, note: story.note })
  if (!found) return await createFromStory(ctx, at, cast, story)
  if (found.status === 'draft') await ENDINGS[story.ending](ctx, { ...at, budget: found })
}

async function createFromStory(ctx: Ctx, at: At, cast: DemoPeople, story: Story): Promise<void> {
  const budget = await draftStory(ctx, { ...at, cast, story })
  if (budget) await ENDINGS[story.ending](ctx, { ...at, budget })
}

/** True only if it also has the demo's code, which may have been changed. */
async function hasOpenOne(ctx: Ctx, { clinic_id }: At): Promise<boolean> {
  const [newest] = await findOpenLinks(ctx.db, { clinic_id, note: OPEN_STORY.note })
  const code_hash = codeOf(ctx.secrets, newest ?? null)
  return code_hash !== null && await ctx.secrets.verify(DEMO_CODE, code_hash)
}
