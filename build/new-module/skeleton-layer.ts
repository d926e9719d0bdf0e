/** The files of the layer: texts, a page of the clinic, and the texts of the settings' form. */
export const layer = (name: string, title: string): Record<string, string> => ({
  'layer/nuxt.config.js': config(name),
  'layer/i18n/locales/en.json': texts(name, { navigation: { notes: title }, title, none: 'Nothing here yet.' }),
  'layer/i18n/locales/es.json': texts(name, { navigation: { notes: title }, title, none: 'Todavía no hay nada.' }),
  'layer/i18n/staff/en.json': texts(name, {
    settings: { title, text: 'What patients see.', shown: 'Show the newest note on the patient’s page', heading: 'Heading' }
  }),
  'layer/i18n/staff/es.json': texts(name, {
    settings: { title, text: 'Lo que ven los pacientes.', shown: 'Mostrar la nota más reciente en la página del paciente', heading: 'Título' }
  }),
  [`layer/app/pages/${name}.vue`]: page(name)
})

const texts = (name: string, own: object) => `${JSON.stringify({ [name]: own }, null, 2)}\n`

const config = (name: string) => `export default {
  // The browser renders this page: its content depends on who is signed in.
  routeRules: { '/${name}': { ssr: false } },
  i18n: { locales: [{ code: 'en', file: 'en.json' }, { code: 'es', file: 'es.json' }] }
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
