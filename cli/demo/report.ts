import type { Config } from '../../server/core/config.ts'
import { withDatabase } from '../context.ts'
import type { Result } from '../output.ts'
import { findDemoAccess } from './access.ts'
import { makeDemoData } from './make.ts'

/** Fills the demo clinic of the instance that answers at `url`, and reports how to sign in and open a budget. */
export async function reportDemo(config: Config, url: string): Promise<Result> {
  await withDatabase(database => makeDemoData(database, { wait: true }))
  const access = await findDemoAccess(url, config.base_url)
  const { login, patient } = access
  return {
    json: { url: config.base_url, demo: access },
    text: [
      `The instance runs on ${config.base_url}`,
      '',
      'Clinic',
      `  Link: ${login.url}`,
      `  Email: ${login.email}`,
      `  Password: ${login.password}`,
      '',
      'Patient',
      `  Link: ${patient.link}`,
      `  Code: ${patient.code}`
    ].join('\n')
  }
}
