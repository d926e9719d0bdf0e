import type { Ctx, Person } from '@svc/kit'
import { fold } from '@svc/kit/search'
import { listTemplates, type TemplateRow } from '../../db/templates/templates.ts'

/**
 * Templates that may contain the person's name. They belong to the clinic, and a name can be someone else's, so people
 * decide. A name of one word would match everywhere, and a person whose data was erased has none.
 */
export async function findTemplatesNaming(ctx: Ctx, { clinic_id, name }: Person): Promise<TemplateRow[]> {
  const words = fold(name).split(' ').filter(Boolean)
  if (words.length < 2) return []
  return (await listTemplates(ctx.db, clinic_id)).filter((template) => {
    const text = fold(textsOf(template).join('\n'))
    return words.every(word => text.includes(word))
  })
}

/** The texts that people have typed into it. */
function textsOf({ name, content }: TemplateRow): (string | null)[] {
  const { items, choices, patient_notes } = content
  const options = choices.flatMap(choice => choice.options)
  return [
    name,
    patient_notes,
    ...choices.map(({ title }) => title),
    ...options.flatMap(({ title, description }) => [title, description]),
    ...[...items, ...options.flatMap(option => option.items)].map(({ note }) => note)
  ]
}
