import type { Page } from 'playwright-core'

/** The transferred bytes, including headers. */
export interface Transfers { all: number, scripts: number, styles: number, requests: number }

/** Starts to count. Returns a function that returns the sum so far. */
export async function watchTransfers(page: Page): Promise<() => Transfers> {
  const devtools = await page.context().newCDPSession(page)
  const paths = new Map<string, string>()
  const sum: Transfers = { all: 0, scripts: 0, styles: 0, requests: 0 }
  devtools.on('Network.requestWillBeSent', ({ requestId, request, redirectResponse }) => {
    if (request.url.startsWith('data:')) return
    paths.set(requestId, new URL(request.url).pathname)
    sum.requests++
    sum.all += redirectResponse?.encodedDataLength ?? 0
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const path = paths.get(requestId) ?? ''
    sum.all += encodedDataLength
    if (path.endsWith('.js')) sum.scripts += encodedDataLength
    if (path.endsWith('.css')) sum.styles += encodedDataLength
  })
  await devtools.send('Network.enable')
  return () => ({ ...sum })
}
