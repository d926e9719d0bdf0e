import type { Ctx } from '@svc/kit'
import type { Host } from '../host.ts'
import { checkImport } from './check-import.ts'
import { createImport } from './create-import.ts'
import { toErrorsCsv } from './errors-csv.ts'
import { mapImport } from './map-import.ts'
import { runImport } from './run-import.ts'
import { readOutcomes } from './remarks.ts'
import { getImport } from './store.ts'
import { viewOf } from './view.ts'

/** The functions with which a module's endpoints handle files of its kinds. */
export const createImports = (host: Host, module: string): Ctx['imports'] => ({
  create: (kind, upload) => createImport(host, { ...upload, module, kind }),
  get: async (kind, at) => viewOf(host, await getImport(host.db, { ...at, module, kind })),
  map: (kind, at) => mapImport(host, { ...at, module, kind }),
  check: (kind, at) => checkImport(host, { ...at, module, kind }),
  run: (kind, at) => runImport(host, { ...at, module, kind }),
  errors: async (kind, at) => {
    const record = await getImport(host.db, { ...at, module, kind })
    return await toErrorsCsv(readOutcomes(host, record))
  }
})
