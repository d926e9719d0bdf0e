import { existsSync } from 'node:fs'
import path from 'node:path'
import { isId, isProblem } from '@svc/kit'
import { discover } from '../../server/core/modules/discover.ts'
import { createRegistry } from '../../server/core/modules/registry.ts'
import { openServices } from '../../server/core/open-services.ts'
import type { Services } from '../../server/core/services.ts'
import { configuration } from '../context.ts'
import { CliError, EXIT, failure, usageError } from '../errors.ts'
import { hostPackages } from '../output.ts'

/** Words of both commands. */
export const patientAndManners = {
  patient: { type: 'positional', description: 'Id of the patient, as in the address of their page', required: true },
  json: { type: 'boolean', description: 'Print one JSON document' }
} as const

/** The instance's modules, as the server runs them; it may be down. Throws usage errors for an id that is none, or nobody's. */
export async function withModules<T>(patient: string, run: (services: Services) => Promise<T>): Promise<T> {
  if (!isId(patient)) throw usageError(`"${patient}" is no id of a patient.`, 'it is the last part of the address of the patient\'s page')
  hostPackages()
  const config = { ...configuration(), log_level: 'silent' as const }
  if (config.secret === null && !existsSync(path.join(config.storage, 'secret'))) {
    throw failure('secret_unknown', 'Without the instance\'s secret the modules cannot reach their data.', 'run it with the environment of the server')
  }
  const services = await openServices(config)
  try {
    services.registry = await createRegistry({ services, discovered: await discover(config), bundled: {}, record: false })
    return await run(services)
  } catch (error) {
    if (!isProblem(error) || error.code !== 'not_found') throw error
    throw new CliError({ code: 'unknown_patient', message: `There is no patient with the id "${patient}".`, exit: EXIT.usage })
  } finally {
    await services.database.close()
  }
}
