import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const urlOf = (file: string) => JSON.stringify(pathToFileURL(resolve(import.meta.dirname, '../../../server/core', file)))
const program = `
  import { createLog } from ${urlOf('log.ts')}
  import { logLateErrors } from ${urlOf('modules/late-errors.ts')}
  import { withoutExit } from ${urlOf('modules/no-exit.ts')}
  const log = createLog({ production: true, log_level: 'info' })
  logLateErrors(() => log)
  await withoutExit('recall', async () => { void Promise.reject(new Error('forgot to await')) })
  await withoutExit('recall', async () => { setTimeout(async () => { throw new Error('in a timer') }, 5) })
  await withoutExit('other', async () => { setTimeout(() => { throw new Error('thrown late') }, 20) })
  setTimeout(() => void Promise.reject(new Error('our own')), 40)`

test('late rejections and errors are logged as JSON lines with the package name, and end nothing', async () => {
  const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  const lines = stderr.trim().split('\n').map(line => JSON.parse(line))
  expect(lines.map(({ level, event, module, error }) => [level, event, module, error.message])).toEqual([
    ['error', 'process.unhandled_rejection', 'recall', 'forgot to await'],
    ['error', 'process.unhandled_rejection', 'recall', 'in a timer'],
    ['error', 'process.uncaught_exception', 'other', 'thrown late'],
    ['error', 'process.unhandled_rejection', null, 'our own']
  ])
})
