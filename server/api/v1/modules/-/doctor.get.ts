import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { examine } from '#host/server/core/doctor/doctor.ts'
import { Diagnosis } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'admin-token',
  summary: 'Check modules and data, as `svc modules doctor --json` does.',
  response: Diagnosis,
  handle: (_, { database: { sql }, db, config, files, operator_certificate, secrets, registry: { modules, broken } }) =>
    examine({ sql, db, config, files, operator_certificate, secrets, modules, broken })
})
