/** `my_notes` → `svc-module-my-notes` */
export const packageName = (name: string) => `svc-module-${name.replaceAll('_', '-')}`

/** The files of a module that can be installed, has an endpoint, and shows a page: text by path. */
export function skeleton(name: string): Record<string, string> {
  const table = `${name}_note`
  const title = `${name[0]?.toUpperCase() ?? ''}${name.slice(1).replaceAll('_', ' ')}`
  return {
    'package.json': packageJson(name, title),
    'README.md': `# ${packageName(name)}\n\n${title}: what it is for.\n\n    npm install ${packageName(name)}\n    ./bin/svc modules install ${name}     # then restart\n`,
    'migrations/0000_notes.sql': migration(table),
    'migrations/0000_notes.down.sql': `DROP TABLE "${table}";\n`,
    'server/index.js': entry,
    [`server/api/v1/${name}/notes.get.js`]: listEndpoint(name),
    [`server/api/v1/${name}/notes.post.js`]: addEndpoint(name),
    'server/notes.js': notes(table),
    'layer/nuxt.config.js': `export default {\n  // The browser renders this page: its content depends on who is signed in.\n  routeRules: { '/${name}': { ssr: false } },\n  i18n: { locales: [{ code: 'en', file: 'en.json' }, { code: 'es', file: 'es.json' }] }\n}\n`,
    'layer/i18n/locales/en.json': texts(name, { navigation: { notes: title }, title, none: 'Nothing here yet.' }),
    'layer/i18n/locales/es.json': texts(name, { navigation: { notes: title }, title, none: 'Todavía no hay nada.' }),
    [`layer/app/pages/${name}.vue`]: page(name)
  }
}

const texts = (name: string, own: object) => `${JSON.stringify({ [name]: own }, null, 2)}\n`

function packageJson(name: string, title: string): string {
  const manifest = {
    name,
    category: 'community',
    depends: [],
    core: '>=0.1.0',
    permissions: ['read', 'write'],
    role_permissions: { admin: ['*'] },
    navigation: [
      {
        label: `${name}.navigation.notes`,
        to: `/${name}`,
        icon: 'i-lucide-notebook',
        permission: `${name}.read`,
        order: 100
      }
    ],
    server: 'server/index.js',
    migrations: 'migrations',
    layer: 'layer'
  }
  return `${JSON.stringify({
    name: packageName(name), version: '0.1.0', description: `${title}: what it is for.`, license: 'MIT', type: 'module',
    files: ['server', 'migrations', 'layer'], svc: manifest
  }, null, 2)}\n`
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

const entry = `/** What is no endpoint: those are files below api/v1/, named by method and path. */
export default {
  // Notes tell of no patient. Once they do: erase them here, and give them out by the hook export (docs/modules.md).
  hooks: { erase: async () => ({ erased: [], held: [] }) }
}
`

const listEndpoint = (name: string) => `import { listNotes } from '../../../notes.js'

/** What a get answers; one without it is taken for a file. */
const Notes = { safeParse: data => ({ success: true, data }) }

export default {
  access: { permission: '${name}.read' },
  summary: 'Notes of the clinic, the newest first.',
  response: Notes,
  handle: ({ request }, ctx) => listNotes(ctx, request.actor.clinic_id)
}
`

const addEndpoint = (name: string) => `import { addNote } from '../../../notes.js'

/** What the host asks of a schema; zod has it too. */
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

const notes = (table: string) => `/** Newest first; every statement names the clinic. */
export async function listNotes(ctx, clinic_id) {
  return await ctx.sql\`select id, text from ${table} where clinic_id = \${clinic_id} order by created_at desc, id limit 100\`
}

export async function addNote(ctx, { clinic_id, text }) {
  const [row] = await ctx.sql\`insert into ${table} (clinic_id, text) values (\${clinic_id}, \${text}) returning id, text\`
  return row
}
`

const page = (name: string) => `<script setup>
const { t } = useI18n()
const api = useApi()
const { data, error, loading, load } = useLoaded(signal => api.get('/api/v1/${name}/notes', { signal }))
</script>

<template>
  <StaffPage
    :title="t('${name}.title')"
    permission="${name}.read"
    :loading="loading"
    :error="error"
    @retry="load()"
  >
    <p v-if="data?.data.length === 0">
      {{ t('${name}.none') }}
    </p>
    <ul v-else>
      <li
        v-for="row in data?.data"
        :key="row.id"
      >
        {{ row.text }}
      </li>
    </ul>
  </StaffPage>
</template>
`
