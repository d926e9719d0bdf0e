import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseManifest } from '../../server/core/manifest.ts'
import { failure, usageError } from '../../cli/errors.ts'
import { fail, finish } from '../../cli/output.ts'
import { packageName, skeleton } from './skeleton.ts'

/** `npm run new:module -- recall [folder]`. The folder is created where npm was called, which INIT_CWD contains. */
const here = process.env.INIT_CWD ?? process.cwd()
try {
  const [name, folder] = process.argv.slice(2)
  finish(newModule(name, resolve(here, folder ?? packageName(name ?? ''))), false)
} catch (error) {
  fail(error, false)
}

function newModule(name: string | undefined, folder: string) {
  if (!name) throw usageError('The module needs a name.', 'npm run new:module -- recall')
  const files = skeleton(name)
  const { error } = parseManifest(JSON.parse(files['package.json']!))
  if (error !== undefined) throw usageError(`"${name}" cannot be the name of a module: ${error}`)
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw failure('not_empty', `${folder} is there already and not empty.`)

  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const shown = relative(here, folder) || 'this folder'
  const text = [
    `${packageName(name)} is in ${shown}:`,
    ...Object.keys(files).map(path => `  ${path}`),
    '',
    'What each file is for: docs/modules.md'
  ].join('\n')
  return { json: { name, folder, files: Object.keys(files) }, text }
}
