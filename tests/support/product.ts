import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './official.ts'

const PARTS = ['app', 'bin', 'build', 'cli', 'drizzle', 'i18n', 'layers', 'modules.json', 'nuxt.config.ts', 'package.json', 'package-lock.json', 'packages', 'server', 'shared', 'tsconfig.json']

/** A copy of the product, for a test that builds it with other layers; the dependencies are shared. */
export function aProduct(): { root: string, remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'svc-product-'))
  for (const part of PARTS) cpSync(join(root, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return { root: folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
