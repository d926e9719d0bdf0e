import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineNitroPlugin } from 'nitropack/runtime'
import { appendResponseHeader, getRequestHeader, getResponseStatus, setResponseHeader } from 'h3'

/** A language's texts have a different URL in each build, so that each is compressed only once. */
const TEXTS = /^\/_i18n\/[^?]+\/messages\.json/
const ENCODINGS = { br: brotliCompressSync, gzip: gzipSync } as const
const compressed = new Map<string, Buffer>()

/**
 * The texts of public pages are not files: the translation module answers with them. This plugin compresses them, as
 * the build compresses files.
 */
export default defineNitroPlugin((nitro) => {
  nitro.hooks.hook('beforeResponse', (event, response) => {
    const path = TEXTS.exec(event.path)?.[0]
    if (!path || getResponseStatus(event) !== 200 || response.body === undefined) return
    appendResponseHeader(event, 'Vary', 'Accept-Encoding')
    const encoding = encodingFor(getRequestHeader(event, 'accept-encoding') ?? '')
    if (!encoding) return
    const key = `${encoding} ${path}`
    if (!compressed.has(key)) {
      const text = typeof response.body === 'string' ? response.body : JSON.stringify(response.body)
      compressed.set(key, ENCODINGS[encoding](text))
    }
    setResponseHeader(event, 'Content-Type', 'application/json')
    setResponseHeader(event, 'Content-Encoding', encoding)
    response.body = compressed.get(key)
  })
})

/** The better one of the accepted encodings (RFC 9110, 12.5.3). */
function encodingFor(accepted: string): keyof typeof ENCODINGS | null {
  const taken = new Set(
    accepted.split(',').map(part => part.trim()).filter(part => !/;\s*q=0(?:\.0+)?$/.test(part)).map(part => part.split(';')[0]!)
  )
  return taken.has('br') ? 'br' : taken.has('gzip') ? 'gzip' : null
}
