import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')
export const layers = readdirSync(join(root, 'layers'), { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(entry => entry.name)

export function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && /\.(?:ts|js|mjs|vue)$/.test(entry.name))
    .map(entry => relative(root, join(entry.parentPath, entry.name)))
    .filter(path => !path.includes('node_modules') && !path.startsWith('packages/kit/dist/'))
}

const IMPORT
  = /(?:^|\n)\s*(?:import|export)\s[^'"\n]*?(?:\n[^'"]*?)?from\s+['"]([^'"]+)['"]|(?:^|\n)\s*import\s+['"]([^'"]+)['"]|import\(\s*(?:\/\*.*?\*\/\s*)?['"]([^'"]+)['"]\s*\)/g

/** The imports of a file: paths inside the repository for relative ones, otherwise the bare name. */
export function importsOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8')
  return [...source.matchAll(IMPORT)]
    .map(match => (match[1] ?? match[2] ?? match[3])!)
    .map(target => target.startsWith('.') ? relative(root, resolve(root, dirname(file), target)) : subpath(target))
}

/** `#host/…` is the repository, `#budget/…` its layer. */
function subpath(target: string): string {
  const [, name, rest] = /^#(\w+)\/(.+)$/.exec(target) ?? []
  if (name === 'host') return rest!
  return layers.includes(name!) ? `layers/${name}/${rest}` : target
}
