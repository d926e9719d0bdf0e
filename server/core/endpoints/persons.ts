import { defineEndpoint, reply, type StaffRequest } from '@svc/kit'
import { EraseRequest, ErasureReport } from '../../../shared/contract.ts'
import type { CoreEndpoint } from '../http/pipeline.ts'
import { erasePerson } from '../privacy/erase.ts'
import { exportPerson } from '../privacy/export.ts'
import type { Services } from '../services.ts'

const access = { permission: 'privacy.manage' }
const asked = ({ actor, params }: StaffRequest) => ({ clinic_id: actor.clinic_id, id: params.id! })

export const personEndpoints = (services: Services): CoreEndpoint[] => [
  defineEndpoint({
    method: 'get', path: '/clinic/persons/:id/export', access,
    summary: 'All that is held of a person (a patient), as a ZIP.',
    problems: ['module_not_running'],
    async handle({ request }) {
      const { name, bytes } = await exportPerson(services, asked(request))
      return reply({ body: bytes, headers: { 'Content-Type': 'application/zip', 'Content-Disposition': `attachment; filename="${name}"`, 'Cache-Control': 'no-store' } })
    }
  }),
  defineEndpoint({
    method: 'post', path: '/clinic/persons/:id/erase', access,
    summary: 'Erases a person for good, all but what the law keeps; with `dry_run` it only shows what would happen.',
    body: EraseRequest, response: ErasureReport,
    problems: ['module_not_running', 'modules_busy', 'person_busy'],
    handle: ({ body, request }) => erasePerson(services, { ...asked(request), dry_run: body.dry_run, by: request.actor.user_id })
  })
]
