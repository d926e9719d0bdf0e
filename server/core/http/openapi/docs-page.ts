import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { reply, type Reply } from '@svc/kit'

const READER = '/api/docs/reference.js'
const PROGRAM = 'node_modules/@scalar/api-reference/dist/browser/standalone.js'

export function docsPage(): Reply {
  const nonce = randomBytes(16).toString('base64')
  return reply({ headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy(nonce) }, body: page(nonce) })
}

let program: Promise<Buffer> | undefined

/** 3.5 MB: one copy in memory for however many readers. `root` is the product's folder. */
export async function docsProgram(root: string): Promise<Reply> {
  program ??= readFile(join(root, PROGRAM))
  return reply({ headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=3600' }, body: await program })
}

/** The reader would like fonts and a proxy from its maker: nothing leaves this instance. */
const policy = (nonce: string) => [
  `default-src 'none'`, `script-src 'self' 'nonce-${nonce}'`, `style-src 'nonce-${nonce}'`, `img-src 'self' data:`, `font-src data:`,
  `connect-src 'self'`, `base-uri 'none'`, `form-action 'none'`, `frame-ancestors 'none'`
].join('; ')

const OPTIONS = JSON.stringify({ withDefaultFonts: false, showDeveloperTools: 'never', telemetry: false, hideClientButton: true, agent: { disabled: true }, mcp: { disabled: true }, proxyUrl: '' })

// The reader makes its style elements by script and knows no nonce: each gets that of the script beside it. What it sets as an
// attribute is set as properties. Markup with a style attribute stays refused: the examples' line numbers.
const STYLES_WITH_NONCE = `{
const { nonce } = document.currentScript, create = document.createElement, set = Element.prototype.setAttribute
document.createElement = function (name, options) {
  const element = create.call(this, name, options)
  if (/^style$/i.test(name)) element.nonce = nonce
  return element
}
Element.prototype.setAttribute = function (name, value) {
  if (/^style$/i.test(name) && this.style) this.style.cssText = value
  else set.call(this, name, value)
}
}`

const page = (nonce: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API of the dental budget service</title>
</head>
<body>
<noscript>The document is <a href="/api/v1/openapi.json">openapi.json</a>.</noscript>
<script nonce="${nonce}">${STYLES_WITH_NONCE}</script>
<script id="api-reference" data-url="/api/v1/openapi.json" data-configuration="${OPTIONS.replaceAll('"', '&quot;')}"></script>
<script src="${READER}"></script>
</body>
</html>
`
