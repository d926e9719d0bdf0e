import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { CliError, EXIT, failure } from '../errors.ts'

/** What `nuxt build` reads. Migrations, seeds and readme files are read from disk at run time, or never. */
const SOURCES = [
  'app', 'build', 'i18n', 'layers', 'packages', 'public', 'server', 'shared',
  'modules.json', 'nuxt.config.ts', 'package.json', 'package-lock.json'
]
const UNREAD = /(?:^|\/)(?:node_modules|migrations|\.[^/]+)(?:\/|$)|\.md$/

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const STAMP = '.output/sources.sha256'
/** Written by the build too; the type checker and the test runner read it. */
const PREPARED = '.nuxt/tsconfig.app.json'

/**
 * Builds the server unless it was built from these very sources. `tell` gets a line before it begins.
 * Quiet otherwise; rejects with the last lines of the builder when it fails.
 */
export async function ensureBuilt(root: string, tell: (line: string) => void): Promise<{ built: boolean }> {
  const wanted = hashOf(root)
  if (isBuilt(root) && existsSync(path.join(root, PREPARED)) && readStamp(root) === wanted) return { built: false }
  tell('Building the application (about half a minute) ...')
  await nuxtBuild(root)
  writeFileSync(path.join(root, STAMP), wanted)
  return { built: true }
}

export const serverEntry = (root: string) => path.join(root, '.output/server/index.mjs')
export const isBuilt = (root: string) => existsSync(serverEntry(root))

function readStamp(root: string): string | null {
  const file = path.join(root, STAMP)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** SHA-256 over the paths and contents of the sources, those of community layers included. */
function hashOf(root: string): string {
  const hash = createHash('sha256')
  const add = (folder: string, names: string[]) => {
    for (const file of names.flatMap(name => filesBelow(folder, name)).sort()) {
      hash.update(`${file}\0`).update(createHash('sha256').update(readFileSync(path.join(folder, file))).digest())
    }
  }
  add(root, SOURCES)
  for (const layer of communityLayers(root)) add(layer, readdirSync(layer))
  return hash.digest('hex')
}

/** Those of modules.json that are outside `layers/`; their folder keeps its path when the package is another version. */
function communityLayers(root: string): string[] {
  const file = path.join(root, 'modules.json')
  if (!existsSync(file)) return []
  const { modules = [] } = JSON.parse(readFileSync(file, 'utf8')) as { modules?: { path: string }[] }
  return modules.filter(module => !module.path.startsWith('layers/')).map(module => path.resolve(root, module.path)).filter(folder => existsSync(folder))
}

function filesBelow(root: string, name: string): string[] {
  if (UNREAD.test(name)) return []
  const found = statSync(path.join(root, name), { throwIfNoEntry: false })
  if (!found?.isDirectory()) return found ? [name] : []
  return readdirSync(path.join(root, name)).flatMap(entry => filesBelow(root, `${name}/${entry}`))
}

/** Does not outlive this process: a signal goes on to the builder, and what it then does not finish is an interruption. */
function nuxtBuild(root: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const nuxt = path.join(root, 'node_modules/nuxt/bin/nuxt.mjs')
    const env = { ...process.env, NODE_ENV: 'production', NUXT_TELEMETRY_DISABLED: '1' }
    const child = spawn(process.execPath, [nuxt, 'build'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const output: string[] = []
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => output.push(text))

    let interrupted = false
    const stop = () => {
      interrupted = true
      child.kill('SIGTERM')
    }
    for (const signal of SIGNALS) process.on(signal, stop)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      for (const name of SIGNALS) process.off(name, stop)
      if (interrupted) return reject(new CliError({ code: 'interrupted', message: 'The build was interrupted.', exit: EXIT.interrupted }))
      if (code === 0) return resolve()
      reject(failure('build_failed', `The build ended with ${signal ?? code}:\n${lastLines(output.join(''))}`))
    })
  })
}

const lastLines = (text: string) => text.trimEnd().split('\n').slice(-40).join('\n')
