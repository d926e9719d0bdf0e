import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * In a fresh clone Vitest knows no durations and starts with the largest files. These are small but slow. If one starts
 * last, the other workers are idle until it ends.
 */
const LONG = [
  'e2e/patient/patient-states',
  'e2e/service/clients',
  'e2e/service/stopped',
  'e2e/service/killed',
  'e2e/clinic/clinic-arrival',
  'integration/http/fuzz',
  'integration/http/stranger',
  'integration/modules/modules-killed',
  'integration/modules/modules-batches',
  'integration/accounts/mail-hangs',
  'integration/exports/csv-stream',
  'integration/imports/interrupted-import'
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONG.some(name => moduleId.endsWith(`${name}.test.ts`))
    return [...sorted.filter(isLong), ...sorted.filter(file => !isLong(file))]
  }
}
