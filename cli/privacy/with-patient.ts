import { isId, isProblem } from '@svc/kit'
import type { Host } from '../../server/core/host.ts'
import { checkSecret } from '../../server/core/people/seals/used-secrets.ts'
import { CliError, EXIT, usageError } from '../errors.ts'
import { noSecret, withModules } from '../with-modules.ts'

/** Arguments of both commands. */
export const patientArgs = {
  patient: { type: 'positional', description: 'Id of the patient, as in the address of their page', required: true },
  json: { type: 'boolean', description: 'Print one JSON document' }
} as const

/** Throws usage errors for a malformed or unknown id. */
export async function withPatient<T>(patient: string, run: (host: Host) => Promise<T>): Promise<T> {
  if (!isId(patient))
    throw usageError(`"${patient}" is no id of a patient.`, 'it is the last part of the address of the patient\'s page')
  try {
    return await withModules(async ({ host, sql, hasSecret }) => {
      if (!hasSecret) throw noSecret()
      await checkSecret(sql, host.secrets)
      return await run(host)
    })
  } catch (error) {
    if (!isProblem(error) || error.code !== 'not_found') throw error
    throw new CliError({
      code: 'unknown_patient',
      message: `There is no patient with the id "${patient}".`,
      exit: EXIT.usage
    })
  }
}
