import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && /\.(?:ts|js|mjs|vue)$/.test(entry.name))
    .map(entry => relative(root, join(entry.parentPath, entry.name)))
    .filter(path => !path.includes('node_modules'))
}

const IMPORT = /(?:^|\n)\s*(?:import|export)\s[^'"\n]*?(?:\n[^'"]*?)?from\s+['"]([^'"]+)['"]|(?:^|\n)\s*import\s+['"]([^'"]+)['"]|import\(\s*(?:\/\*.*?\*\/\s*)?['"]([^'"]+)['"]\s*\)/g

/** What a file imports: paths inside the repository for relative ones, the bare name else. */
function importsOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8')
  return [...source.matchAll(IMPORT)]
    .map(match => (match[1] ?? match[2] ?? match[3])!)
    .map(target => target.startsWith('.') ? relative(root, resolve(root, dirname(file), target)) : target)
}

const withoutComments = (file: string) => readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

function offenders(folder: string, allowed: (target: string, file: string) => boolean): string[] {
  return filesBelow(folder).flatMap(file => importsOf(file).filter(target => !allowed(target, file)).map(target => `${file} → ${target}`))
}

const isOurs = (target: string) => /^(?:app|build|cli|layers|packages|server|shared|tests)\//.test(target)
const isNitro = (target: string) => /^(?:nitropack|#nitro|#imports|#app|nuxt|@nuxt\/)/.test(target)
const isKit = (target: string) => /^@svc\/kit(?:\/(?:letter|locale|money))?$/.test(target)
const within = (target: string, ...folders: string[]) => folders.some(folder => target.startsWith(folder))

const layers = readdirSync(join(root, 'layers'), { withFileTypes: true }).filter(entry => entry.isDirectory()).map(entry => entry.name)
const manifestOf = (layer: string) => JSON.parse(readFileSync(join(root, 'layers', layer, 'package.json'), 'utf8')).svc as { name: string, depends: string[] }

describe('core knows no module', () => {
  test('the core imports the kit and shared, never Nitro, never a layer', () => {
    expect(offenders('server/core', target => isOurs(target) ? within(target, 'server/core/', 'shared/') : !isNitro(target))).toEqual([])
  })

  test('only the start-up plugin reaches the modules, through #official-modules', () => {
    const rest = ['server/api', 'server/routes', 'server/plugins', 'server/middleware'].flatMap(folder => offenders(folder, target =>
      isOurs(target) ? within(target, 'server/', 'shared/') : target !== '#official-modules'))
    expect(rest).toEqual(['server/plugins/modules.ts → #official-modules'])
  })

  test('the command line imports core, kit and shared, never Nitro, never a layer', () => {
    expect(offenders('cli', target => isOurs(target) ? within(target, 'cli/', 'server/core/', 'shared/') : !isNitro(target))).toEqual([])
  })

  test('no module is named in the core', () => {
    const named = filesBelow('server/core').filter(file => /['"`](?:clinical|catalog|budget|billing|reports)['"`]/.test(readFileSync(join(root, file), 'utf8')))
    expect(named).toEqual([])
  })

  test('the kit imports nothing of ours', () => {
    expect(offenders('packages/kit', target => !isOurs(target) || within(target, 'packages/kit/'))).toEqual([])
  })

  test('one file reads the environment in the core', () => {
    const readers = filesBelow('server/core').filter(file => readFileSync(join(root, file), 'utf8').includes('process.env'))
    expect(readers.filter(file => file !== 'server/core/config.ts')).toEqual([])
  })
})

describe.each(layers)('the module %s knows only the kit', (layer) => {
  const own = `layers/${layer}/`

  test('its server half imports the kit, its own files and types of declared dependencies', () => {
    const { depends } = manifestOf(layer)
    const mayTypeImport = (target: string) => depends.some(name => [`layers/${name}/server/exports.ts`, `layers/${name}/server/events.ts`].includes(target))
    expect(offenders(`${own}server`, target => isOurs(target) ? within(target, `${own}server/`, `${own}shared/`) || mayTypeImport(target) : !isNitro(target))).toEqual([])
  })

  test('its domain is pure: own domain and the kit\'s money only', () => {
    const files = filesBelow(`${own}server`).filter(file => file.startsWith(`${own}server/domain/`))
    const impure = files.flatMap(file => importsOf(file)
      .filter(target => !(isKit(target) || within(target, `${own}server/domain/`) || /^(?:date-fns|@date-fns|pngjs|node:crypto|node:buffer)/.test(target)))
      .map(target => `${file} → ${target}`))
    expect(impure).toEqual([])
  })

  test('it uses only modules that its manifest depends on', () => {
    const { depends } = manifestOf(layer)
    const used = filesBelow(`${own}server`).flatMap(file => [...withoutComments(file).matchAll(/ctx\.use(?:<[^>]*>)?\(['"](\w+)['"]/g)].map(match => match[1]))
    expect(used.filter(name => !depends.includes(name!))).toEqual([])
  })
})
