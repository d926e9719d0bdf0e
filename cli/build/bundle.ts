import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build, type Plugin } from 'esbuild'
import { listModules } from './module-list.ts'

/**
 * Bundles the command line into `.cli/svc.mjs` and parts beside it: files that are loaded when their command is
 * called start several times faster than the sources. Parts are named by their content and come first, each
 * under a name of its own until it is whole, so that a command that runs meanwhile never reads half a file.
 */
const root = path.resolve(import.meta.dirname, '../..')
const folder = path.join(root, '.cli')

/** Loading modules from their many small files would take a second and 100 MB. */
const bundledModules: Plugin = {
  name: 'bundled-modules',
  setup({ onLoad }) {
    onLoad({ filter: /cli\/bundled-modules\.ts$/ }, () => ({ contents: listModules(root), resolveDir: root }))
  }
}

const files = await build({
  entryPoints: {
    'svc': path.join(root, 'cli/main.ts'),
    'command.thread': path.join(root, 'cli/command.thread.ts')
  },
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  chunkNames: 'parts/[name]-[hash]',
  bundle: true,
  splitting: true,
  write: false,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  // esbuild's `import()` of a CommonJS file has its default export only.
  mainFields: ['module', 'main'],
  // Optional dependencies that we don't use, and packages that have their own files.
  external: ['typescript', 'esbuild', 'sharp', '@svc/sheet', '@svc/evidence-page'],
  plugins: [bundledModules],
  // CommonJS inside an ES module still needs `require`.
  banner: {
    js: 'import { createRequire as svcCreateRequire } from \'node:module\'\nconst require = svcCreateRequire(import.meta.url)'
  },
  logLevel: 'silent'
}).then(
  ({ outputFiles }) => outputFiles,
  (error: Error) => {
    console.error(error.message)
    process.exit(1)
  }
)

mkdirSync(path.join(folder, 'parts'), { recursive: true })
const parts = files.filter(file => path.basename(path.dirname(file.path)) === 'parts')
const entries = files.filter(file => !parts.includes(file))
for (const { path: target, contents } of [
  ...parts.filter(part => !existsSync(part.path)),
  ...entries
]) {
  const partial = `${target}.${process.pid}`
  writeFileSync(partial, contents)
  renameSync(partial, target)
}

/** A running command may still load a chunk of the previous bundle. */
const UNUSED_AFTER_MS = 3_600_000
for (const name of readdirSync(path.join(folder, 'parts'))) {
  const old = path.join(folder, 'parts', name)
  const isUsed = parts.some(part => part.path === old) || Date.now() - statSync(old).mtimeMs < UNUSED_AFTER_MS
  if (!isUsed) rmSync(old, { force: true })
}
