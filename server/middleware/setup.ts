import { defineEventHandler, sendRedirect, setResponseHeader } from 'h3'
import { bootState, getRuntime } from '../boot.ts'

/** Paths that are not pages: the API, built files and their texts, and machine-readable addresses. */
const NO_PAGE = /^\/(?:api|_[^/]*|livez|readyz|health|metrics|me)(?:\/|$)/

/**
 * Without a clinic every page redirects to `/setup`; with one, `/setup` redirects to the start page. Built files are
 * answered before. Nothing redirects until the service is ready: its own start draws a page to load the renderer.
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
