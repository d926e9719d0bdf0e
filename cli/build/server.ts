import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { CliError, EXIT, failure } from '../errors.ts'
import { buildAside, builtFrom, isBuilt } from './aside.ts'

/** The inputs of `nuxt build`. Migrations, seeds and readme files are read from disk at run time, or never. */
const SOURCES = [
  'app', 'build', 'i18n', 'layers', 'packages', 'public', 'server', 'shared',
  'modules.json', 'nuxt.config.ts', 'package.json', 'package-lock.json'
]
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const UNREAD = /(?:^|\/)(?:node_modules|migrations|\.[^/]+)(?:\/|$)|^packages\/kit\/dist$|\.md$/

const BUILDING = 'Building the application (about a minute) ...'
/** Written by the build too; the type checker and the test runner read it. */
const PREPARED = '.nuxt/tsconfig.app.json'

/**
 * Builds the server unless it was already built from exactly these sources. `onBuild` is called with a line before the
 * build begins; there is no other output. If the build fails, rejects with the builder's last lines. Takes the lock of
 * `bin/setup`.
 */
export async function ensureBuilt(root: string, onBuild: (line: string) => void): Promise<{ built: boolean }> {
  const wanted = hashOf(root)
  if (isUpToDate(root, wanted)) return { built: false }
  onBuild(BUILDING)
  await runSetup(root)
  return { built: true }
}

/** Builds while `bin/setup --build` holds its lock, unless another process has built in the meantime. */
export async function buildUnderLock(root: string, onBuild: (line: string) => void): Promise<void> {
  const wanted = hashOf(root)
  if (isUpToDate(root, wanted)) return
  onBuild(BUILDING)
  await buildAside(root, wanted, folder => nuxtBuild(root, folder))
}

function isUpToDate(root: string, wanted: string): boolean {
  return isBuilt(root) && existsSync(path.join(root, PREPARED)) && builtFrom(root) === wanted
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

/** The layers of modules.json outside `layers/`. Their folder keeps its path when the package's version changes. */
function communityLayers(root: string): string[] {
  const file = path.join(root, 'modules.json')
  if (!existsSync(file)) return []
  const { modules = [] } = JSON.parse(readFileSync(file, 'utf8')) as { modules?: { path: string }[] }
  return modules
    .filter(module => !module.path.startsWith('layers/'))
    .map(module => path.resolve(root, module.path))
    .filter(folder => existsSync(folder))
}

function filesBelow(root: string, name: string): string[] {
  if (UNREAD.test(name)) return []
  const found = statSync(path.join(root, name), { throwIfNoEntry: false })
  if (!found?.isDirectory()) return found ? [name] : []
  return readdirSync(path.join(root, name)).flatMap(entry => filesBelow(root, `${name}/${entry}`))
}

const runSetup = (root: string) =>
  run('sh', [path.join(root, 'bin/setup'), '--build'], {
    cwd: root,
    env: process.env,
    explain: (_end, output) => output
  })

/** Builds into a separate folder, whose name `nuxt.config.ts` reads. */
function nuxtBuild(root: string, folder: string): Promise<void> {
  const nuxt = path.join(root, 'node_modules/nuxt/bin/nuxt.mjs')
  const env = { ...process.env, NODE_ENV: 'production', NUXT_TELEMETRY_DISABLED: '1', SVC_BUILD_OUTPUT: folder }
  return run(process.execPath, [nuxt, 'build'], {
    cwd: root,
    env,
    explain: (end, output) => `The build ended with ${end}:\n${output}`
  })
}

interface Run {
  cwd: string
  env: NodeJS.ProcessEnv
  /** The message of a failure, from how it ended and its last lines. */ explain: (
    end: string,
    output: string
  ) => string
}

/**
 * The builder doesn't outlive this process: signals are forwarded, and a build that they end counts as interrupted.
 */
function run(command: string, words: string[], { cwd, env, explain }: Run): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
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
      if (interrupted)
        return reject(
          new CliError({ code: 'interrupted', message: 'The build was interrupted.', exit: EXIT.interrupted })
        )
      if (code === 0) return resolve()
      reject(failure('build_failed', explain(String(signal ?? code), lastLines(output.join('')))))
    })
  })
}

const lastLines = (text: string) => text.trimEnd().split('\n').slice(-40).join('\n')
