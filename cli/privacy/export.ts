import { existsSync } from 'node:fs'
import path from 'node:path'
import { defineCommand } from 'citty'
import { placeNew } from '../../server/core/files/place-new.ts'
import { exportPerson, nameOf } from '../../server/core/privacy/export.ts'
import { failure } from '../errors.ts'
import type { Result } from '../output.ts'
import { patientArgs, withPatient } from './with-patient.ts'

export default defineCommand({
  meta: {
    name: 'export',
    description: 'Write all data of a patient into a ZIP that only you can read',
    examples: ['svc privacy export 0197c6a0-0000-7000-8000-000000000001 --out patient.zip']
  },
  args: {
    ...patientArgs,
    out: {
      type: 'string',
      valueHint: 'file',
      description: 'File to write (default: patient-<id>.zip in this folder); an existing file is kept'
    }
  },
  run: ({ args }): Promise<Result> =>
    withPatient(args.patient, async (host) => {
      const file = path.resolve(args.out || nameOf(args.patient))
      if (existsSync(file)) throw taken(file)
      const { bytes } = await exportPerson(host, { id: args.patient })
      await write(file, bytes)
      return { json: { file, bytes: bytes.length }, text: file }
    })
})

async function write(file: string, bytes: Uint8Array): Promise<void> {
  const isNew = await placeNew(file, bytes).catch((error: NodeJS.ErrnoException) => {
    throw failure('not_written', `${file} cannot be written: ${error.code ?? error.message}.`)
  })
  if (!isNew) throw taken(file)
}

const taken = (file: string) =>
  failure('file_exists', `${file} exists already; nothing was written.`, 'name another file: --out FILE')
