import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'

/** The list at this API path answers with its first entry 25 times, so that a test needs one entry only. */
export async function repeatFirstEntry(page: Page, path: string, fields: object = {}): Promise<void> {
  await page.route(url => url.pathname === path, async (route) => {
    const response = await route.fetch()
    const { data: [first], ...body } = await response.json()
    const data = Array.from({ length: 25 }, () => ({ ...first, ...fields, id: randomUUID() }))
    await route.fulfill({ response, json: { ...body, data, total: 25, page_size: 25 } })
  })
}

/** What a list lets people see without scrolling, and what is not whole in it. */
export const measureList = (page: Page) => page.evaluate(() => {
  const rows = [...document.querySelectorAll('.list-table tbody tr')].map(row => row.getBoundingClientRect())
  const table = document.querySelector('.list-table')!
  const isCut = (element: Element) => element.scrollWidth > element.clientWidth + 1
  const textOf = (element: Element) => element.textContent!.replace(/\s+/g, ' ').trim()
  return {
    rowsInView: rows.filter(({ top, bottom }) => top >= 0 && bottom <= innerHeight).length,
    rowHeights: [...new Set(rows.map(({ height }) => Math.round(height)))],
    /** Headings, and cells whose column is as wide as its text. */
    cutCells: [...document.querySelectorAll('.list-table th, .list-table td:not(.cut)')].filter(isCut).map(textOf),
    wrappedHeads: [...document.querySelectorAll('.list-table th')].filter(head => head.clientHeight > 40).map(textOf),
    brokenButtons: [...document.querySelectorAll('main :is(button, a[data-slot=base])')]
      .filter(button => button.clientHeight > 44 || [button, ...button.children].some(isCut))
      .map(textOf),
    scrollsSideways: isCut(table.parentElement!)
  }
})

/** Twelve rows at least, each with one line of 44 px, and nothing wrapped or cut. */
export const A_WHOLE_LIST = {
  rowHeights: [44], cutCells: [], wrappedHeads: [], brokenButtons: [], scrollsSideways: false
}
