import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../modules/official.ts'

const PARTS = [
  'app',
  'bin',
  'build',
  'cli',
  'drizzle',
  'i18n',
  'layers',
  'modules.json',
  'nuxt.config.ts',
  'package.json',
  'package-lock.json',
  'packages',
  'server',
  'shared',
  'tsconfig.json'
]

/** A copy of the product, for a test that builds it with other layers. The dependencies are shared. */
export function aProduct(): { root: string, remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'svc-product-'))
  for (const part of PARTS) cpSync(join(root, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return { root: folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/**
 * The built server, with a tree of packages that shares everything but the fonts, so that the fonts can be removed from
 * this tree only.
 */
export function aProductWithFontsOfItsOwn(): { root: string, /** Their folder. */ fonts: string, remove(): void } {
  const own = mkdtempSync(join(tmpdir(), 'svc-product-'))
  for (const part of ['.output', 'layers', 'drizzle', 'packages', 'modules.json', 'package.json'])
    cpSync(join(root, part), join(own, part), { recursive: true, verbatimSymlinks: true })
  mkdirSync(join(own, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== 'dejavu-fonts-ttf') symlinkSync(join(root, 'node_modules', name), join(own, 'node_modules', name))
  }
  cpSync(join(root, 'node_modules/dejavu-fonts-ttf'), join(own, 'node_modules/dejavu-fonts-ttf'), { recursive: true })
  return {
    root: own,
    fonts: join(own, 'node_modules/dejavu-fonts-ttf/ttf'),
    remove: () => rmSync(own, { recursive: true, force: true })
  }
}
