import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/**
 * `npm run evidence-page`: makes the page of these sources and keeps it as a module of plain text, so that it is the
 * same wherever the server runs from: sources, bundle, command line. A test says when it was forgotten.
 */
export const PAGE_MODULE = join(import.meta.dirname, '../services/proof/evidence/page.generated.ts')

const source = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
const policyHash = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

/** Not minified: whoever doubts the page can read it. */
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
  const parts: Record<string, string> = { script, style, 'script-hash': policyHash(script), 'style-hash': policyHash(style) }
  const page = source('page.html').replace(/\{\{([a-z-]+)\}\}/g, (whole, name: string) => parts[name] ?? whole)
  return moduleOf(page.split('{{copies}}'))
}

/** A string a line, so that a change can be read. */
function moduleOf([before, after]: string[]): string {
  const text = (part: string) => `[\n${part.split('\n').map(line => `  ${JSON.stringify(line)}`).join(',\n')}\n].join("\\n")`
  return `// Made by evidence-page/build.ts: change the sources there, then \`npm run evidence-page\`.\nexport const BEFORE_COPIES: string = ${text(before!)}\nexport const AFTER_COPIES: string = ${text(after!)}\n`
}

if (import.meta.main) writeFileSync(PAGE_MODULE, await buildPage())
