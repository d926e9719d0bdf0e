import { existsSync } from 'node:fs'
import path from 'node:path'
import { defineCommand } from 'citty'
import product from '../../package.json' with { type: 'json' }
import { writeDump } from '../../server/core/dump/write-dump.ts'
import { withDatabase } from '../context.ts'
import { failure } from '../errors.ts'
import { consola, endProgress, showProgress, type Result } from '../output.ts'

export default defineCommand({
  meta: {
    name: 'dump',
    description: 'Write the whole database into a file that only you can read',
    examples: ['svc db dump clinic.sql']
  },
  args: {
    file: {
      type: 'positional',
      description: 'File to write; <file>.json goes beside it. An existing file is kept',
      required: true
    },
    json: { type: 'boolean', description: 'Print one JSON document' }
  },
  async run({ args }): Promise<Result> {
    const file = path.resolve(args.file)
    const taken = [file, `${file}.json`].find(existsSync)
    if (taken) throw failure('file_exists', `${taken} exists already; nothing was written.`, 'name another file')
    try {
      const { sha256, bytes, rows } = await withDatabase(database =>
        writeDump({ database, file, version: product.version, now: new Date(), progress: showProgress }).catch(
          notWritten(file)
        )
      )
      consola.info(
        'Keep the instance\'s secret (SVC_SECRET, or storage/secret) apart from it, and the documents (storage/documents): the dump has neither.'
      )
      return { json: { file, bytes, sha256, rows }, text: file }
    } finally {
      endProgress()
    }
  }
})

/** Puts errors of the file system into a sentence; the database's errors stay as they are. */
const notWritten = (file: string) => (error: NodeJS.ErrnoException): never => {
  throw error.syscall ? failure('not_written', `${file} cannot be written: ${error.code ?? error.message}.`) : error
}
