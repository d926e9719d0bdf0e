import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import type { VisitOptions } from './browser.ts'

/** A context with one page in it. */
export interface Tab {
  page: Page
  context: BrowserContext
  /** Options that a context has for life. */
  kind: string
  past: Past
}

interface Past {
  /** Something was done to it that cannot be undone. */
  isChanged: boolean
  /** Where its page was in this visit. */
  origins: Set<string>
  /** What they changed ends with them. */
  sessions: CDPSession[]
}

/** Tabs that can be used again, of each browser. */
const free = new WeakMap<Browser, Tab[]>()
/** Those that were not used for the longest time are closed: each holds the memory of a process. */
const MAX_FREE = 3

const TIMEOUT_MS = 45_000 // a busy machine draws nothing for a while

export async function takeTab(browser: Browser, options: VisitOptions): Promise<Tab> {
  const { viewport, colorScheme = 'light', reducedMotion, ...lasting } = options
  const kind = JSON.stringify(lasting)
  const tabs = free.get(browser) ?? []
  const index = tabs.findLastIndex(tab => tab.kind === kind)
  const [tab = await openTab(browser, lasting, kind)] = index < 0 ? [] : tabs.splice(index, 1)
  tab.context.setDefaultTimeout(TIMEOUT_MS)
  await tab.page.emulateMedia({ media: null, colorScheme, reducedMotion, forcedColors: null, contrast: null })
  if (viewport) await tab.page.setViewportSize(viewport)
  return tab
}

async function openTab(browser: Browser, options: VisitOptions, kind: string): Promise<Tab> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  return { page, context, kind, past: watchPast(page) }
}

/** The next visit finds nothing of this one, unless the tab has to be closed. */
export async function returnTab(browser: Browser, tab: Tab): Promise<void> {
  const tabs = free.get(browser) ?? []
  free.set(browser, tabs)
  // Storage is cleared for one origin, which must be one of the web.
  const hasLittlePast = !tab.past.isChanged && tab.past.origins.size <= 1 && !tab.past.origins.has('null')
  if (!hasLittlePast || !(await isCleared(tab))) return await tab.context.close()
  tabs.push(tab)
  if (tabs.length > MAX_FREE) await tabs.shift()!.context.close()
}

const EVENTS = [
  'console', 'dialog', 'download', 'filechooser', 'pageerror', 'popup', 'request', 'requestfailed', 'requestfinished',
  'response', 'websocket', 'worker'
]

/** False where that takes long, as where a question of the page is open. */
async function isCleared(tab: Tab): Promise<boolean> {
  if (tab.page.isClosed()) return false
  const late = Promise.withResolvers<false>()
  const timer = setTimeout(() => late.resolve(false), 5000)
  const cleared = clearTab(tab).then(() => true, () => false)
  return await Promise.race([cleared, late.promise]).finally(() => clearTimeout(timer))
}

async function clearTab({ page, context, past }: Tab): Promise<void> {
  for (const event of EVENTS) page.removeAllListeners(event)
  for (const event of [...EVENTS, 'page']) context.removeAllListeners(event)
  for (const session of past.sessions.splice(0)) await session.detach()
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  if (past.origins.size > 0) {
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
  }
  await page.goto('about:blank')
  await context.clearCookies()
  await context.clearPermissions()
  past.origins.clear()
}

const LASTING = ['addInitScript', 'exposeBinding', 'exposeFunction', 'setExtraHTTPHeaders']
const LASTING_OF_PAGES = [...LASTING, 'clock'] // a context's own is read by each new page
const LASTING_OF_CONTEXTS = [...LASTING, 'setGeolocation', 'setHTTPCredentials', 'setStorageState']

function watchPast(page: Page): Past {
  const past: Past = { isChanged: false, origins: new Set(), sessions: [] }
  const context = page.context()
  const change = () => { past.isChanged = true }
  for (const name of LASTING_OF_PAGES) watchUse(page, name, change)
  for (const name of LASTING_OF_CONTEXTS) watchUse(context, name, change)
  const openSession = context.newCDPSession.bind(context)
  context.newCDPSession = async (target) => {
    const session = await openSession(target)
    past.sessions.push(session)
    return session
  }
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame() && frame.url() !== 'about:blank') past.origins.add(new URL(frame.url()).origin)
  })
  return past
}

function watchUse(owner: object, name: string, tell: () => void): void {
  const value = Reflect.get(owner, name) as unknown
  Object.defineProperty(owner, name, {
    get() {
      tell()
      return value
    }
  })
}
