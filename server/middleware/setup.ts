import { defineEventHandler, sendRedirect, setResponseHeader } from 'h3'
import { bootState, getRuntime } from '../boot.ts'

/** What is no page: the API, built files and their texts, and what machines ask for. */
const NO_PAGE = /^\/(?:api|_[^/]*|livez|readyz|health|metrics|me)(?:\/|$)/

/**
 * Without a clinic every page leads to `/setup`; with one `/setup` leads to the start. Built files are answered before.
 * Until the service is ready nothing is led anywhere: its own start draws a page to load what draws pages.
 */
export default defineEventHandler(async (event) => {
  const path = event.path.split('?')[0]!
  if (bootState() !== 'ready' || NO_PAGE.test(path)) return
  const isNeeded = await getRuntime().host.setup.isNeeded()
  const isThere = path === '/setup'
  if (isNeeded === isThere) return
  setResponseHeader(event, 'Cache-Control', 'no-store')
  await sendRedirect(event, isNeeded ? '/setup' : '/', 302)
})
