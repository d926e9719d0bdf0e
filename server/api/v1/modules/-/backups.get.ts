import * as z from 'zod'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { listBackups } from '#host/server/core/modules/backup/backup.ts'
import { Backup } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'admin-token',
  summary: 'List the backups of removed modules, newest first.',
  response: z.array(Backup),
  handle: (_, { config }) => listBackups(config)
})
