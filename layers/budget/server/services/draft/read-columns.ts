import type { Clinic, Ctx } from '@svc/kit'
import { hasDeciduousTeeth } from '../../../shared/domain/planned-teeth.ts'
import { dayIn, isOver } from '../../../shared/domain/validity.ts'
import type { NewBudget } from '../../db/budgets.ts'
import { settingsOf } from '../../settings.ts'
import { findPatient, findProfessional } from '../budget/dependencies.ts'
import type { FieldErrors } from './field-errors.ts'

/** What the staff enter of a draft besides lines, choices and discount: undefined means omitted, null clears. */
export interface ColumnsInput {
  patient_id?: string
  professional_id?: string | null
  valid_until?: string | null
  clause_ids?: string[] | null
  patient_notes?: string | null
  internal_notes?: string | null
}

interface Columns { input: ColumnsInput, stored_clause_ids: readonly string[] | null, errors: FieldErrors }

/** The columns to set. Adds invalid fields to `errors`. */
export async function readColumns(
  ctx: Ctx,
  clinic: Clinic,
  { input, stored_clause_ids, errors }: Columns
): Promise<Partial<NewBudget>> {
  return {
    ...(await readPatient(ctx, clinic, input.patient_id, errors)),
    ...(await readProfessional(ctx, clinic, input.professional_id, errors)),
    ...(await readValidity(ctx, clinic, input.valid_until, errors)),
    ...(await readClauseIds(ctx, clinic, { wanted: input.clause_ids, stored: stored_clause_ids, errors })),
    ...(input.patient_notes === undefined ? {} : { patient_notes: input.patient_notes }),
    ...(input.internal_notes === undefined ? {} : { internal_notes: input.internal_notes })
  }
}

async function readPatient(
  ctx: Ctx,
  clinic: Clinic,
  id: string | undefined,
  errors: FieldErrors
): Promise<Partial<NewBudget>> {
  if (id === undefined) return {}
  const patient = await findPatient(ctx, clinic.id, id)
  if (!patient) {
    errors.add('/patient_id', 'There is no such patient.')
    return {}
  }
  return {
    patient_id: patient.id,
    patient_first_name: patient.first_name,
    patient_last_name: patient.last_name,
    locale: patient.locale ?? clinic.locale,
    deciduous: hasDeciduousTeeth(patient.date_of_birth, dayIn(clinic.time_zone, await ctx.clock.now()))
  }
}

async function readProfessional(
  ctx: Ctx,
  clinic: Clinic,
  id: string | null | undefined,
  errors: FieldErrors
): Promise<Partial<NewBudget>> {
  if (id === undefined) return {}
  if (id === null) return { professional_id: null, professional_name: null, professional_license: null }
  const professional = await findProfessional(ctx, clinic.id, id)
  if (!professional || professional.active === false) {
    errors.add('/professional_id', professional ? 'This clinician is not active.' : 'This clinician does not exist.')
    return {}
  }
  return {
    professional_id: professional.id,
    professional_name: professional.name,
    professional_license: professional.license_number
  }
}

async function readValidity(
  ctx: Ctx,
  clinic: Clinic,
  valid_until: string | null | undefined,
  errors: FieldErrors
): Promise<Partial<NewBudget>> {
  if (valid_until === undefined) return {}
  if (valid_until !== null && isOver(valid_until, clinic.time_zone, await ctx.clock.now()))
    errors.add('/valid_until', 'This day is over.')
  return { valid_until }
}

interface ClauseSelection {
  wanted: string[] | null | undefined
  stored: readonly string[] | null
  errors: FieldErrors
}

/** Leaves out a condition that the draft chose and the clinic has removed since, so that an old form can be saved. */
async function readClauseIds(
  ctx: Ctx,
  clinic: Clinic,
  { wanted, stored, errors }: ClauseSelection
): Promise<Partial<NewBudget>> {
  if (wanted === undefined) return {}
  if (wanted === null) return { clause_ids: null }
  const { clauses } = await settingsOf(ctx, clinic.id)
  const exists = (id: string) => clauses.some(clause => clause.id === id)
  for (const [index, id] of wanted.entries())
    if (!exists(id) && !stored?.includes(id)) errors.add(`/clause_ids/${index}`, 'There is no such condition.')
  return { clause_ids: [...new Set(wanted)].filter(exists) }
}
