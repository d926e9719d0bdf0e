import type { Ctx } from '@svc/kit'
import { formatMoney, formatPercent } from '@svc/kit/money'
import type { Template, TemplateLine, TemplateRow as ShownRow } from '../../../shared/contract.ts'
import type { TemplateRow } from '../../db/templates/templates.ts'
import { fitTemplate, type FittedLine } from './fit-template.ts'

export interface VersionedTemplate { edit: number, template: Template }

export const toTemplateRow = ({ id, name, content, created_at, updated_at }: TemplateRow): ShownRow => ({
  id,
  name,
  lines: [content.items, ...content.choices.flatMap(({ options }) => options.map(({ items }) => items))].flat().length,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString()
})

/** As a budget created today would have it. */
export async function viewTemplate(ctx: Ctx, row: TemplateRow): Promise<VersionedTemplate> {
  const clinic = await ctx.clinics.get(row.clinic_id)
  const { items, choices, ...fitted } = await fitTemplate(ctx, clinic, row.content)
  const shown = (lines: FittedLine[]) => lines.map(line => toLine(line, clinic.currency))
  const template: Template = {
    ...toTemplateRow(row),
    ...fitted,
    currency: clinic.currency,
    items: shown(items),
    choices: choices.map(({ options, ...choice }) => ({
      ...choice,
      options: options.map(option => ({ ...option, items: shown(option.items) }))
    }))
  }
  return { edit: row.edit, template }
}

const toLine = ({ treatment, ...line }: FittedLine, currency: string): TemplateLine => ({
  ...line,
  code: treatment.code,
  name: treatment.name,
  unit_price: formatMoney(treatment.unit_price, currency),
  ...treatment.prices_include_tax ? { prices_include_tax: true as const } : {},
  vat: formatPercent(treatment.vat)
})
