import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { reply, type Reply } from '@svc/kit'

const READER = '/api/docs/reference.js'
const PROGRAM = 'node_modules/@scalar/api-reference/dist/browser/standalone.js'

export const docsPage = (): Reply =>
  reply({ headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY }, body: PAGE })

let program: Promise<Buffer> | undefined

/** 3.5 MB: one copy in memory for however many readers. `root` is the product's folder. */
export async function docsProgram(root: string): Promise<Reply> {
  program ??= readFile(join(root, PROGRAM))
  return reply({
    headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=3600' },
    body: await program
  })
}

/**
 * The reader would like fonts and a proxy from its maker: nothing leaves this instance. It writes styles of its own,
 * and this page alone allows them: it shows no data.
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
  // Requests that are tried go to the page's own address, which the content policy allows.
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
