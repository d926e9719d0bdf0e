import { reply } from '@svc/kit'
import { idOf, whoOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { exportPerson } from '#host/server/core/privacy/export.ts'

export default defineCoreEndpoint({
  access: { permission: 'privacy.manage' },
  summary: 'Export all data of a patient as a ZIP.',
  problems: ['module_not_running'],
  async handle({ request }, host) {
    const { name, bytes } = await exportPerson(host, { ...idOf(request), who: whoOf(request) })
    return reply({
      body: bytes,
      headers: {
        'Content-Type': 'application/zip',
        'Content-Disposition': `attachment; filename="${name}"`,
        'Cache-Control': 'no-store'
      }
    })
  }
})
