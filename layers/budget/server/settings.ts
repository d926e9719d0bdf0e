import type { AnyTx, Ctx, SettingsDeclaration } from '@svc/kit'
import type { Notation } from '../shared/domain/teeth.ts'
import { BudgetSettings } from '../shared/settings.ts'

export const settings: SettingsDeclaration = {
  schema: BudgetSettings,
  defaults: {
    tooth_notation: 'fdi',
    code_by: 'clinic',
    code_by_only: false,
    budget_validity_days: 30,
    reminders: { enabled: false, days: [7, 14], quiet_from: '20:00', quiet_to: '09:00' },
    clauses: []
  } satisfies BudgetSettings,
  on_screens: ['tooth_notation', 'code_by', 'code_by_only', 'clauses'],
  in_clinic: [
    { field: 'tooth_notation', after: 'prices_include_tax' },
    { field: 'budget_validity_days', after: 'tooth_notation' },
    { field: 'reminders', after: 'ip_policy' }
  ]
}

export const settingsOf = (ctx: Ctx, clinic_id: string, tx?: AnyTx): Promise<BudgetSettings> =>
  ctx.settings.get<BudgetSettings>(clinic_id, tx)

/** The notation that a budget was sent with; for drafts, and older budgets, the clinic's. */
export async function notationOf(
  ctx: Ctx,
  { tooth_notation, clinic_id }: { tooth_notation: Notation | null, clinic_id: string }
): Promise<Notation> {
  return tooth_notation ?? (await settingsOf(ctx, clinic_id)).tooth_notation
}

/** When reminders were last switched on or got other days; null if never. Those due before are not sent late. */
export async function remindersSince(ctx: Ctx, clinic_id: string): Promise<Date | null> {
  const [enabled, days] = await Promise.all(['reminders.enabled', 'reminders.days'].map(name =>
    ctx.settings.changedAt(clinic_id, name)))
  if (!enabled) return null
  return days && days > enabled ? days : enabled
}
