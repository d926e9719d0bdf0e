import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineEndpoint, reply } from '@svc/kit'
import type { Config } from '../config.ts'
import type { CoreEndpoint } from '../http/pipeline.ts'

const READER = '/api/docs/reference.js'

/** `describe` gives the OpenAPI document; it is asked once, when somebody wants it. */
export function docsEndpoints(config: Pick<Config, 'root'>, describe: () => object): CoreEndpoint[] {
  const reader = join(config.root, 'node_modules/@scalar/api-reference/dist/browser/standalone.js')
  let document: string | undefined
  return [
    defineEndpoint({
      method: 'get', path: '/openapi.json', access: 'none',
      summary: 'This document.',
      handle() {
        document ??= JSON.stringify(describe())
        return reply({ headers: { 'content-type': 'application/json' }, body: document })
      }
    }),
    {
      ...defineEndpoint({
        method: 'get', path: '/docs', access: 'none',
        summary: 'This document as a page.',
        handle: () => reply({ headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY }, body: PAGE })
      }),
      addresses: ['/api/docs']
    },
    {
      ...defineEndpoint({
        method: 'get', path: '/docs/reference.js', access: 'none',
        summary: 'The program of the page.',
        handle: async () => reply({ headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=3600' }, body: await readFile(reader) })
      }),
      addresses: [READER]
    }
  ]
}

/** The reader would like fonts and a proxy from its maker: nothing leaves this instance. */
const POLICY = [
  'default-src \'none\'', 'script-src \'self\'', 'style-src \'unsafe-inline\'', 'img-src \'self\' data:', 'font-src data:',
  'connect-src \'self\'', 'base-uri \'none\'', 'form-action \'none\'', 'frame-ancestors \'none\''
].join('; ')

const OPTIONS = JSON.stringify({ withDefaultFonts: false, showDeveloperTools: 'never', telemetry: false, hideClientButton: true, agent: { disabled: true }, mcp: { disabled: true }, proxyUrl: '' })

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
