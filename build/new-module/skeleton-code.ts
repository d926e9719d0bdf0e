/** The files of the server: a table, endpoints, a setting, a section of the patient's page, and a test of it. */
export function code(name: string): Record<string, string> {
  const table = `${name}_note`
  return {
    'migrations/0000_notes.sql': migration(table),
    'migrations/0000_notes.down.sql': `DROP TABLE "${table}";\n`,
    'server/index.js': entry,
    'server/settings.js': settings,
    'server/section.js': section,
    'server/notes.js': notes(table),
    [`server/api/v1/${name}/notes.get.js`]: listEndpoint(name),
    [`server/api/v1/${name}/notes.post.js`]: addEndpoint(name),
    'test/section.test.js': test
  }
}

const migration = (table: string) => `CREATE TABLE "${table}" (
  "id" uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  "clinic_id" uuid NOT NULL,
  "text" text NOT NULL,
  "created_at" timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE INDEX "${table}_list" ON "${table}" ("clinic_id", "created_at", "id");
`

const entry = `import { newestNote } from './section.js'
import { settings } from './settings.js'

/** Everything except endpoints, which are files below api/v1/, named by method and path. */
export default {
  settings,
  // Parts of the page on which a patient reads and accepts a budget.
  public_sections: { 'budget.patient': newestNote },
  // Notes name no patient. Once they do, erase them here, and return them in the hook export (docs/modules/data.md).
  hooks: { erase: async () => ({ erased: [], held: [] }) }
}
`

const settings = `const isHeading = value => typeof value === 'string' && /^\\S.{0,99}$/.test(value)

/**
 * What each clinic can set. The host needs safeParse alone, which zod's schemas have; with zod, the form also knows
 * limits, choices and amounts of money.
 */
const schema = {
  safeParse({ shown, heading }) {
    const issues = [
      ...typeof shown === 'boolean' ? [] : [{ path: ['shown'], message: 'Must be true or false.' }],
      ...isHeading(heading) ? [] : [{ path: ['heading'], message: 'Must be a text of 1 to 100 characters.' }]
    ]
    return issues.length > 0 ? { success: false, error: { issues } } : { success: true, data: { shown, heading } }
  }
}

export const settings = { schema, defaults: { shown: false, heading: 'News' } }
`

const section = `import { listNotes } from './notes.js'

/** The newest note as a section of the patient's page, if the clinic shows it. Runs with each view, so it only reads. */
export async function newestNote(ctx, { clinic_id }) {
  const { shown, heading } = await ctx.settings.get(clinic_id)
  if (!shown) return []
  const [note] = await listNotes(ctx, clinic_id)
  return note ? [{ id: 'newest', title: heading, text: note.text }] : []
}
`

const notes = (table: string) => `/** Newest first; every statement names the clinic. */
export async function listNotes(ctx, clinic_id) {
  return await ctx.sql\`select id, text from ${table} where clinic_id = \${clinic_id} order by created_at desc, id limit 100\`
}

export async function addNote(ctx, { clinic_id, text }) {
  const [row] = await ctx.sql\`insert into ${table} (clinic_id, text) values (\${clinic_id}, \${text}) returning id, text\`
  return row
}
`

const listEndpoint = (name: string) => `import { listNotes } from '../../../notes.js'

/** The shape of the answer. A get without one is a file. */
const Notes = { safeParse: data => ({ success: true, data }) }

export default {
  access: { permission: '${name}.read' },
  summary: 'Notes of the clinic, the newest first.',
  response: Notes,
  handle: ({ request }, ctx) => listNotes(ctx, request.actor.clinic_id)
}
`

const addEndpoint = (name: string) => `import { addNote } from '../../../notes.js'

const Note = {
  safeParse(input) {
    const text = input?.text
    if (typeof text === 'string' && text.trim() !== '' && Object.keys(input).length === 1) return { success: true, data: { text } }
    return { success: false, error: { issues: [{ path: ['text'], message: 'Must be a text, and nothing else.' }] } }
  }
}

export default {
  access: { permission: '${name}.write' },
  summary: 'A new note.',
  body: Note,
  handle: async ({ body, request }, ctx) => ctx.reply({ status: 201, data: await addNote(ctx, { clinic_id: request.actor.clinic_id, ...body }) })
}
`

const test = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newestNote } from '../server/section.js'
import { settings } from '../server/settings.js'

const at = { clinic_id: 'a', budget_id: 'b', version: 1, state: 'sent', locale: 'en', token_base: '/api/v1/public/budgets/t' }
/** As much of ctx as the section needs. */
const ctxWith = (values, notes) => ({ settings: { get: async () => values }, sql: async () => notes })

test('the newest note is a section, under the heading that the clinic chose', async () => {
  const ctx = ctxWith({ shown: true, heading: 'News' }, [{ id: '2', text: 'Open on Saturday.' }, { id: '1', text: 'Old.' }])
  assert.deepEqual(await newestNote(ctx, at), [{ id: 'newest', title: 'News', text: 'Open on Saturday.' }])
})

test('there is no section unless the clinic shows it, and none without a note', async () => {
  assert.deepEqual(await newestNote(ctxWith({ shown: false, heading: 'News' }, [{ id: '1', text: 'Old.' }]), at), [])
  assert.deepEqual(await newestNote(ctxWith({ shown: true, heading: 'News' }, []), at), [])
})

test('the defaults fit the schema, and a heading without text does not', () => {
  assert.equal(settings.schema.safeParse(settings.defaults).success, true)
  assert.equal(settings.schema.safeParse({ shown: true, heading: ' ' }).success, false)
})
`
