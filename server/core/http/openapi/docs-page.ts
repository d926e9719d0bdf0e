import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { reply, type Reply } from '@svc/kit'

const READER = '/api/docs/reference.js'
const PROGRAM = 'node_modules/@scalar/api-reference/dist/browser/standalone.js'

export const docsPage = (): Reply =>
  reply({ headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY }, body: PAGE })

let program: Promise<Buffer> | undefined

/** The program has 3.5 MB: all readers share one copy in memory. `root` is the product's folder. */
export async function docsProgram(root: string): Promise<Reply> {
  program ??= readFile(join(root, PROGRAM))
  return reply({
    headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=3600' },
    body: await program
  })
}

/**
 * The reader would load fonts and a proxy from its vendor, but nothing may leave this instance. It writes inline
 * styles. Only this page allows them, because it shows no data.
 */
const POLICY = [
  `default-src 'none'`, `script-src 'self'`, `style-src 'unsafe-inline'`, `img-src 'self' data:`, `font-src data:`,
  `connect-src 'self'`, `base-uri 'none'`, `form-action 'none'`, `frame-ancestors 'none'`
].join('; ')

const OPTIONS = JSON.stringify({
  withDefaultFonts: false,
  showDeveloperTools: 'never',
  telemetry: false,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  proxyUrl: '',
  // Requests sent from the page go to its own origin, which the content policy allows.
  servers: [{ url: '/' }],
  authentication: { preferredSecurityScheme: 'bearer' }
})

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API of the dental budget service</title>
</head>
<body>
<noscript>The document is <a href="/api/v1/openapi.json">openapi.json</a>.</noscript>
<script id="api-reference" data-url="/api/v1/openapi.json" data-configuration="${OPTIONS.replaceAll('"', '&quot;')}"></script>
<script src="${READER}"></script>
</body>
</html>
`
