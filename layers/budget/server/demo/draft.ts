import type { Ctx } from '@svc/kit'
import type { BudgetRow } from '../db/budgets.ts'
import { addDays, dayIn } from '../../shared/domain/validity.ts'
import { createBudget } from '../services/draft/create-budget.ts'
import { moveCreation } from './rows.ts'
import type { DemoLine, Story } from './stories.ts'

/** The demo's people and treatments, by their names in the stories. */
export async function readDemoPeople(ctx: Ctx, clinic_id: string) {
  const clinical = ctx.use('clinical')
  const { rows } = await ctx
    .use('catalog')
    .listTreatments(clinic_id, { active: 'true', page: 1, page_size: 100 })
  const treatments = new Map(rows.map(row => [row.code, row.id]))
  const first = (found: { rows: { id: string }[] }) => found.rows[0]?.id
  return {
    treatment: (code: string) => treatments.get(code),
    patient: async (search: string) => first(await clinical.listPatients(clinic_id, { search, page: 1, page_size: 1 })),
    professional: async (search: string) =>
      first(await clinical.listProfessionals(clinic_id, { search, active: 'true', page: 1, page_size: 1 }))
  }
}
export type DemoPeople = Awaited<ReturnType<typeof readDemoPeople>>

interface Input { clinic_id: string, user_id: string, cast: DemoPeople, story: Story }

/** Null if the patient, the professional or every treatment was removed. */
export async function draftStory(ctx: Ctx, { clinic_id, user_id, cast, story }: Input): Promise<BudgetRow | null> {
  const [patient_id, professional_id] = [await cast.patient(story.patient), await cast.professional(story.professional)]
  const toItems = (lines: DemoLine[]) =>
    lines.flatMap(({ code, quantity = 1, ...line }) => {
      const treatment_id = cast.treatment(code)
      return treatment_id ? [{ treatment_id, quantity, ...line }] : []
    })
  const items = toItems(story.lines)
  const choices = story.choices?.map(choice => ({
    ...choice,
    options: choice.options.map(({ lines, description = null, recommended = false, ...option }) =>
      ({ ...option, description, recommended, items: toItems(lines) }))
  }))
  if (choices?.some(({ options }) => options.some(option => option.items.length === 0))) return null
  if (!patient_id || !professional_id || items.length === 0) return null
  const budget = await createBudget(ctx, {
    clinic_id,
    user_id,
    patient_id,
    professional_id: story.ending === 'unassigned_draft' ? null : professional_id,
    valid_until: story.valid_days ? await inDays(ctx, clinic_id, story.valid_days) : null,
    global_discount: story.global_discount ?? null,
    patient_notes: story.patient_notes ?? null,
    internal_notes: story.note,
    items,
    ...(choices ? { choices } : {})
  })
  await moveCreation(ctx.db, budget.id, story.days_ago)
  return budget
}

async function inDays(ctx: Ctx, clinic_id: string, days: number): Promise<string> {
  const { time_zone } = await ctx.clinics.get(clinic_id)
  return addDays(dayIn(time_zone, await ctx.clock.now()), days)
}
