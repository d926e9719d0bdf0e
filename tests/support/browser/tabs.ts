import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import type { VisitOptions } from './browser.ts'

/** A context with one page. */
export interface Tab {
  page: Page
  context: BrowserContext
  /** Options that a context can't change later. */
  kind: string
  past: Past
}

interface Past {
  /** True after a change that cannot be undone. */
  isChanged: boolean
  /** The origins of this visit. */
  origins: Set<string>
  /** Debugger sessions, whose changes end with them. */
  sessions: CDPSession[]
}

/** Tabs that can be used again, by browser. */
const free = new WeakMap<Browser, Tab[]>()
/** The tabs that were unused for longest are closed, because each uses the memory of a process. */
const MAX_FREE = 3

const TIMEOUT_MS = 45_000 // a busy machine draws no frame for a while

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

/** Prepares the tab for the next visit, or closes it if that is not possible. */
export async function returnTab(browser: Browser, tab: Tab): Promise<void> {
  const tabs = free.get(browser) ?? []
  free.set(browser, tabs)
  // Storage is cleared for one origin, which must be a web origin.
  const hasLittlePast = !tab.past.isChanged && tab.past.origins.size <= 1 && !tab.past.origins.has('null')
  if (!hasLittlePast || !(await isCleared(tab))) return await tab.context.close()
  tabs.push(tab)
  if (tabs.length > MAX_FREE) await tabs.shift()!.context.close()
}

const EVENTS = [
  'console', 'dialog', 'download', 'filechooser', 'pageerror', 'popup', 'request', 'requestfailed', 'requestfinished',
  'response', 'websocket', 'worker'
]

/** False if that takes long, for example because the page shows a confirmation dialog. */
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
const LASTING_OF_PAGES = [...LASTING, 'clock'] // a context's own setting is read by each new page
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
