import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow, importsOf, layers, root } from './support/sources.ts'

const withoutComments = (file: string) =>
  readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

function offenders(folder: string, allowed: (target: string, file: string) => boolean): string[] {
  return filesBelow(folder).flatMap(file =>
    importsOf(file)
      .filter(target => !allowed(target, file))
      .map(target => `${file} → ${target}`)
  )
}

const isOurs = (target: string) => /^(?:app|build|cli|layers|packages|server|shared|tests)\//.test(target)
const isNitro = (target: string) => /^(?:nitropack|#nitro|#imports|#app|nuxt|@nuxt\/)/.test(target)
const isKit = (target: string) => /^@svc\/kit(?:\/(?:address-forms|addresses|audit|cells|csv|dates|email|empty-words|external-ids|import-endpoints|import-schemas|issues|locale|modules\/\w+|money|names|numerals|schemas|search|text))?$/.test(target)
/** The parts of the kit that a browser can load. */
const isForScreens = (target: string) => !target.startsWith('@svc/kit') || /^@svc\/kit\/(?:addresses|audit|cells|dates|import-schemas|locale|money|names|numerals)$/.test(target)
/** Modules can use the packages for documents. The other packages are for the core only. */
const isForModules = (target: string) => isKit(target) || /^@svc\/(?:sheet|evidence-page)(?:\/|$)/.test(target)
const within = (target: string, ...folders: string[]) => folders.some(folder => target.startsWith(folder))

const manifestOf = (layer: string) =>
  JSON.parse(readFileSync(join(root, 'layers', layer, 'package.json'), 'utf8')).svc as {
    name: string
    depends: string[]
    auto_install?: boolean
    removable?: boolean
  }

/**
 * Components and composables of these layers that the screens in a folder use. Nuxt finds them by name, without an
 * import.
 */
function borrowed(folder: string, from: readonly string[]): string[] {
  const given = from.flatMap(layer =>
    filesBelow(`layers/${layer}/app`).flatMap(file => namesOf(file).map(name => ({ layer, name })))
  )
  return filesBelow(folder).flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    return given
      .filter(({ name }) => new RegExp(`<${name}\\b|\\b${name}\\(`).test(source))
      .map(({ layer, name }) => `${file} → ${name} (${layer})`)
  })
}

/**
 * The file name, and the name that Nuxt gives: the folders below `components` come first, unless the name begins with
 * them.
 */
function namesOf(file: string): string[] {
  const path = /\/app\/(?:components|composables)\/(.+)\.\w+$/.exec(file)?.[1]
  if (!path) return []
  const folders = path.split('/').map(part => part[0]!.toUpperCase() + part.slice(1)).slice(0, -1).join('')
  const name = basename(path)
  return folders && !name.startsWith(folders) ? [name, folders + name] : [name]
}

test('no folder except migrations has more than 25 files', () => {
  const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
  const counts = new Map<string, number>()
  for (const file of tracked) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  const crowded = [...counts].filter(
    ([folder, count]) => count > 25 && !/(?:^|\/)(?:migrations|drizzle)(?:\/|$)/.test(folder)
  )
  expect(crowded).toEqual([])
})

describe('the core knows no module:', () => {
  test('the core imports the kit and shared, but not Nitro or a layer', () => {
    expect(
      offenders('server/core', target =>
        isOurs(target) ? within(target, 'server/core/', 'shared/') : !isNitro(target)
      )
    ).toEqual([])
  })

  test('only the start-up plugin imports the modules, through #official-modules', () => {
    const rest = ['server/api', 'server/routes', 'server/plugins', 'server/middleware'].flatMap(folder =>
      offenders(folder, target =>
        isOurs(target) ? within(target, 'server/', 'shared/') : !['#official-modules', '#svc/routes'].includes(target)
      )
    )
    expect(rest).toEqual(['server/plugins/modules.ts → #official-modules', 'server/plugins/modules.ts → #svc/routes'])
  })

  test('the command line imports core, kit and shared, but not Nitro or a layer', () => {
    expect(
      offenders('cli', target =>
        isOurs(target) ? within(target, 'cli/', 'server/core/', 'shared/') : !isNitro(target)
      )
    ).toEqual([])
  })

  test('no module is named in the core', () => {
    const named = filesBelow('server/core').filter(file =>
      /['"`](?:clinical|catalog|budget|billing|reports|payments|sms)['"`]/.test(readFileSync(join(root, file), 'utf8'))
    )
    expect(named).toEqual([])
  })

  test('the kit imports nothing from the rest of the repository', () => {
    expect(offenders('packages/kit', target => !isOurs(target) || within(target, 'packages/kit/'))).toEqual([])
  })

  test('a package imports the kit and its own files, but not the core or a layer', () => {
    const others = readdirSync(join(root, 'packages')).filter(name => name !== 'kit')
    const foreign = others.flatMap(name =>
      offenders(`packages/${name}`, target =>
        isOurs(target)
          ? within(target, `packages/${name}/`)
          : !isNitro(target) && (!target.startsWith('@svc/') || isKit(target))
      )
    )
    expect(foreign).toEqual([])
  })

  test('only one file of the core reads the environment', () => {
    const readers = filesBelow('server/core').filter(file =>
      readFileSync(join(root, file), 'utf8').includes('process.env')
    )
    expect(readers.filter(file => file !== 'server/core/config.ts')).toEqual([])
  })
})

describe('the common part of the screens knows no module:', () => {
  test('it imports its own files, shared and the kit\'s parts for browsers', () => {
    expect(
      offenders('app', target => (isOurs(target) ? within(target, 'app/', 'shared/') : isForScreens(target)))
    ).toEqual([])
  })

  test('it uses without an import only its own components and composables', () => {
    expect(borrowed('app', layers)).toEqual([])
  })

  test('every page except six public ones belongs to the clinic and needs a session', () => {
    const pages = ['app', ...layers.map(layer => `layers/${layer}/app`)]
      .flatMap(folder => filesBelow(folder))
      .filter(file => /(?:^|\/)app\/pages\//.test(file))
    const open = pages.filter(file =>
      /definePageMeta\(\{\s*layout: '(?:front|patient)'[\s,]/.test(readFileSync(join(root, file), 'utf8'))
    )
    expect(open.sort()).toEqual([
      'app/pages/index.vue',
      'layers/budget/app/pages/b/[code].vue',
      'layers/budget/app/pages/p/budget/[token].vue',
      'layers/budget/app/pages/sign.vue',
      'layers/budget/app/pages/verify.vue',
      'layers/payments/app/pages/pay/[token].vue'
    ])
  })

  test('its component tests import only what a browser can load, and mock nothing', () => {
    expect(
      offenders('tests/nuxt', (target, file) => {
        const [, layer] = /^tests\/nuxt\/(\w+)\//.exec(file) ?? []
        const own = layer && layers.includes(layer) ? [`layers/${layer}/app/`, `layers/${layer}/shared/`] : []
        return isOurs(target) ? within(target, 'app/', 'shared/', 'tests/nuxt/', ...own) : isForScreens(target)
      })
    ).toEqual([])
    expect(
      filesBelow('tests/nuxt').filter(file =>
        /mockNuxtImport|mockComponent|vi\.(?:do)?mock\(/.test(withoutComments(file))
      )
    ).toEqual([])
  })

  test('code that server and screens share imports only the kit', () => {
    expect(offenders('shared', target => isOurs(target) ? within(target, 'shared/') : !isNitro(target))).toEqual([])
  })
})

describe.each(layers)('the module %s knows only the kit:', (layer) => {
  const own = `layers/${layer}/`

  test('its screens import their own files and shared', () => {
    expect(
      offenders(`${own}app`, target =>
        isOurs(target) ? within(target, `${own}app/`, `${own}shared/`) : isForScreens(target)
      )
    ).toEqual([])
  })

  test('its screens use only components and composables of declared dependencies', () => {
    const { depends } = manifestOf(layer)
    expect(borrowed(`${own}app`, layers.filter(name => name !== layer && !depends.includes(name)))).toEqual([])
  })

  test('its code that server and screens share imports the kit and itself, and nothing from the server', () => {
    expect(
      offenders(`${own}shared`, target => (isOurs(target) ? within(target, `${own}shared/`) : !isNitro(target)))
    ).toEqual([])
  })

  test('its server code imports the kit, the packages for documents, and its own files and texts', () => {
    expect(
      offenders(`${own}server`, target =>
        isOurs(target)
          ? within(target, `${own}server/`, `${own}shared/`, `${own}i18n/`)
          : !isNitro(target) && (!target.startsWith('@svc/') || isForModules(target))
      )
    ).toEqual([])
  })

  test('it uses only types of declared dependencies', () => {
    const { depends } = manifestOf(layer)
    const known = [layer, ...depends].map(name => `@svc/kit/modules/${name}`)
    expect(
      offenders(own.slice(0, -1), target => !target.startsWith('@svc/kit/modules/') || known.includes(target))
    ).toEqual([])
  })

  test('its domain code imports only domain code and the kit', () => {
    const files = filesBelow(`${own}shared`).filter(file => file.startsWith(`${own}shared/domain/`))
    const impure = files.flatMap(file =>
      importsOf(file)
        .filter(
          target => !(isKit(target) || within(target, `${own}shared/domain/`) || /^(?:date-fns|@date-fns)/.test(target))
        )
        .map(target => `${file} → ${target}`)
    )
    expect(impure).toEqual([])
  })

  test('it uses only modules that its manifest depends on', () => {
    const { depends } = manifestOf(layer)
    const used = filesBelow(`${own}server`).flatMap(file =>
      [...withoutComments(file).matchAll(/ctx\.use(?:<[^>]*>)?\(['"](\w+)['"]/g)].map(match => match[1])
    )
    expect(used.filter(name => !depends.includes(name!))).toEqual([])
  })
})

/** Bundled, but installed by the operator, and written like a package of anyone else. */
describe.each(layers.filter(layer => ['payments', 'sms'].includes(layer)))('the module %s is like a community package:', (layer) => {
  const own = `layers/${layer}/`

  test('it imports only the kit, npm libraries and its own files', () => {
    expect(
      offenders(own.slice(0, -1), target =>
        isOurs(target) ? within(target, own) : !target.startsWith('#host') && (!target.startsWith('@svc/') || isKit(target))
      )
    ).toEqual([])
  })

  test('an operator installs and removes it', () => {
    const { auto_install, removable } = manifestOf(layer)
    expect({ auto_install, removable }).toEqual({ auto_install: false, removable: true })
  })

  test('it reads no table of another module, no environment, and opens no connection', () => {
    const tables = layers.filter(name => name !== layer).map(name => `${name}_`)
    const faults = filesBelow(`${own}server`).filter((file) => {
      const code = withoutComments(file)
      return /process\.env|from 'postgres'|core_[a-z]+/.test(code)
        || tables.some(prefix => new RegExp(`\\b(?:from|join|into|update)\\s+"?${prefix}`, 'i').test(code))
    })
    expect(faults).toEqual([])
  })
})

describe('the subjects of the budget module have an order:', () => {
  const services = 'layers/budget/server/services/'

  /** From the lowest level to the highest. A subject can import subjects of lower levels, but not of its own level. */
  const LEVELS = [
    ['budget'], // reads, locks and shows a budget's rows, and publishes its facts
    ['log'], // content, seals and the chain of the access log
    ['document', 'draft', 'link', 'privacy'],
    ['decision', 'messages', 'short-address', 'staff-view', 'templates'],
    ['export', 'hand-over'],
    ['proof'] // verifies all of them and makes evidence
  ]
  const levelOf = (subject: string) => LEVELS.findIndex(level => level.includes(subject))
  const subjectOf = (path: string) => path.startsWith(services) ? path.slice(services.length).split('/')[0]! : null

  test('each folder of services is on one level, and no file is beside the folders', () => {
    const names = readdirSync(join(root, services))
    expect(names.sort()).toEqual(LEVELS.flat().sort())
  })

  test('a subject imports only subjects of lower levels, so that no two import each other', () => {
    expect(
      offenders(services, (target, file) => {
        const [from, to] = [subjectOf(file)!, subjectOf(target)]
        return to === null || to === from || levelOf(to) < levelOf(from)
      })
    ).toEqual([])
  })

  test('no subject imports the endpoints, their shared files or the module\'s table of contents', () => {
    const above = ['api/', 'http/', 'demo/', 'index.ts', 'exports.ts'].map(path => `layers/budget/server/${path}`)
    expect(offenders(services, target => !within(target, ...above))).toEqual([])
  })

  test('no table, mail or drawing imports a subject', () => {
    const below = ['db', 'mail', 'pdf'].map(folder => `layers/budget/server/${folder}`)
    expect(below.flatMap(folder => offenders(folder, target => subjectOf(target) === null))).toEqual([])
  })
})
