import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/**
 * `npm run evidence-page` builds the page from the sources beside it. It is committed; a test fails if it is outdated.
 */
export const PAGE = join(import.meta.dirname, 'check.html')

const source = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
const policyHash = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

/** Has `{{copies}}` in place of the copies of the files. Not minified, so that sceptics can read the page. */
export async function buildPage(): Promise<string> {
  const { outputFiles: [bundle] } = await build({
    entryPoints: [join(import.meta.dirname, 'main.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none'
  })
  const script = `\n${bundle!.text}`
  const style = `\n${source('page.css')}`
  const parts: Record<string, string> = {
    script,
    style,
    'script-hash': policyHash(script),
    'style-hash': policyHash(style)
  }
  return source('page.html').replace(/\{\{([a-z-]+)\}\}/g, (whole, name: string) => parts[name] ?? whole)
}

if (import.meta.main) writeFileSync(PAGE, await buildPage())
