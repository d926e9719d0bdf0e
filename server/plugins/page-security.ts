import { randomBytes } from 'node:crypto'
import { setResponseHeaders, type H3Event } from 'h3'
import { defineNitroPlugin } from 'nitropack/runtime'

type Page = Record<'head' | 'bodyPrepend' | 'body' | 'bodyAppend', string[]>

const withNonce = (html: string, nonce: string) => html.replace(/<(script|style)(?=[\s>])/g, `<$1 nonce="${nonce}"`)

/** A strict policy on every page: nothing from other origins, and no inline script without this answer's nonce. */
export default defineNitroPlugin((nitro) => {
  nitro.hooks.hook('render:html', (page: Page, { event }: { event: H3Event }) => {
    const nonce = randomBytes(16).toString('base64')
    for (const part of ['head', 'bodyPrepend', 'bodyAppend'] as const)
      page[part] = page[part].map(html => withNonce(html, nonce))
    setResponseHeaders(event, {
      'Content-Security-Policy': [
        `default-src 'self'`,
        `script-src 'self' 'nonce-${nonce}'`,
        // The development server adds styles by script.
        import.meta.dev ? `style-src 'self' 'unsafe-inline'` : `style-src 'self' 'nonce-${nonce}'`,
        `img-src 'self' data: blob:`,
        `object-src 'none'`,
        `base-uri 'none'`,
        `form-action 'self'`,
        `frame-ancestors 'none'`
      ].join('; '),
      'X-Content-Type-Options': 'nosniff',
      'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
      'Cross-Origin-Opener-Policy': 'same-origin',
      ...(/^\/[bp]\//.test(event.path)
        ? { 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' }
        : { 'Referrer-Policy': 'same-origin' })
    })
  })

  nitro.hooks.hook('render:response', (response) => {
    delete response.headers?.['x-powered-by']
  })
})
