import type { Clinic, Ctx } from '@svc/kit'
import type { PricedTreatment } from '@svc/kit/modules/catalog'
import type { LeftOut } from '../../../shared/contract.ts'
import type { WireDiscount } from '../../../shared/domain/discount.ts'
import type { StoredTemplateLine, TemplateContent } from '../../db/schema.ts'
import { findTreatments } from '../budget/dependencies.ts'

export type FittedLine = Omit<StoredTemplateLine, 'code' | 'name'> & { treatment: PricedTreatment }
export interface FittedTemplate extends Pick<TemplateContent, 'global_discount' | 'patient_notes'> {
  items: FittedLine[]
  choices: (Omit<TemplateContent['choices'][number], 'options'> & {
    options: (Omit<TemplateContent['choices'][number]['options'][number], 'items'> & { items: FittedLine[] })[]
  })[]
  left_out: LeftOut[]
}

/**
 * The parts of a template that a budget created today can have, and those that it can't. If a choice has too few
 * options left, its lines become part of every selection, as in the editor.
 */
export async function fitTemplate(ctx: Ctx, clinic: Clinic, content: TemplateContent): Promise<FittedTemplate> {
  const left_out: LeftOut[] = []
  const treatments = await readTreatments(ctx, clinic.id, content)
  const isSameMoney = content.currency === clinic.currency && content.prices_include_tax === clinic.prices_include_tax
  const fits = (discount: WireDiscount) => discount.type === 'percent' || isSameMoney

  const fitLines = (lines: readonly StoredTemplateLine[]): FittedLine[] =>
    lines.flatMap(({ code, name, discount, ...line }) => {
      const treatment = treatments.get(line.treatment_id)
      const about = { id: line.treatment_id, code: treatment?.code ?? code, name: treatment?.name ?? name }
      if (!treatment?.active) {
        left_out.push({ reason: treatment ? 'inactive' : 'gone', treatment: about })
        return []
      }
      if (discount && !fits(discount)) left_out.push({ reason: 'discount', treatment: about })
      return [{ ...line, treatment, discount: discount && fits(discount) ? discount : null }]
    })

  const items = fitLines(content.items)
  const choices = content.choices.flatMap(({ options, ...choice }) => {
    const left = options.map(option => ({ ...option, items: fitLines(option.items) })).filter(hasLines)
    if (left.length >= (choice.rule === 'exactly_one' ? 2 : 1)) return [{ ...choice, options: left }]
    items.push(...left.flatMap(option => option.items))
    return []
  })
  const { global_discount, patient_notes } = content
  if (global_discount && !fits(global_discount)) left_out.push({ reason: 'discount', treatment: null })
  return {
    items,
    choices,
    global_discount: global_discount && fits(global_discount) ? global_discount : null,
    patient_notes,
    left_out
  }
}

const hasLines = ({ items }: { items: FittedLine[] }) => items.length > 0

async function readTreatments(ctx: Ctx, clinic_id: string, { items, choices }: TemplateContent) {
  const lines = [...items, ...choices.flatMap(({ options }) => options.flatMap(option => option.items))]
  const ids = [...new Set(lines.map(({ treatment_id }) => treatment_id))]
  const found = ids.length > 0 ? await findTreatments(ctx, clinic_id, ids) : []
  return new Map(found.map(treatment => [treatment.id, treatment]))
}
