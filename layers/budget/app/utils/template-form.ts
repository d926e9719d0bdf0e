import type { Template, TemplateLine } from '../../shared/contract.ts'
import { newLine, typedDiscount, type BudgetForm, type FormLine } from './budget-form.ts'
import { inOrder, newChoice, newOption, type Section } from './budget-options.ts'
import { usualPrice } from './usual-price.ts'

/** Adds a template to a form, after what is already there. A typed discount and typed notes are kept. */
export function withTemplate(
  form: BudgetForm,
  template: Template,
  { language, to_include_tax }: { language: string, to_include_tax: boolean }
): BudgetForm {
  const lineOf = (line: TemplateLine, option: Section): FormLine => {
    const unit_price = usualPrice(line, { currency: template.currency, to_include_tax })
    return {
      ...newLine({ ...line, id: line.treatment_id, unit_price }, language),
      option,
      quantity: String(line.quantity),
      counts: null,
      discount: typedDiscount(line.discount, language),
      note: line.note ?? ''
    }
  }
  const added = template.choices.map(({ title, rule, options }) => newChoice(title, rule, options.map(option => ({
    ...newOption(option.title),
    description: option.description ?? '',
    recommended: option.recommended
  }))))
  const ofOptions = template.choices.flatMap(({ options }, at) =>
    options.flatMap(({ items }, index) => items.map(item => lineOf(item, added[at]!.options[index]!.key))))
  const choices = [...form.choices, ...added]
  return {
    ...form,
    choices,
    lines: inOrder([...form.lines, ...template.items.map(item => lineOf(item, null)), ...ofOptions], choices),
    discount: form.discount.text ? form.discount : typedDiscount(template.global_discount, language),
    patient_notes: form.patient_notes || (template.patient_notes ?? '')
  }
}
