import { describe, expect, test, vi } from 'vitest'
import { h } from 'vue'
import { ListView } from '#components'
import { ApiError } from '#imports'
import { button, draw, findButton, one, press, said } from '../support/screen.ts'

interface Row { id: string, name: string }
const columns = [{ key: 'name', label: 'Name', sort: 'name' }, { key: 'city', label: 'City' }]
const rows: Row[] = [{ id: '1', name: 'Ana' }, { id: '2', name: 'Björn' }]
const slots = {
  'cell-name': ({ row }: { row: Row }) => h('a', { href: `/patients/${row.id}` }, row.name),
  'empty': () => 'Add the first patient'
}
const aList = (props: Record<string, unknown>) =>
  draw(ListView, { props: { caption: 'Patients', columns, rows, total: rows.length, page: 1, ...props }, slots })

const refused = (status: number, code: string) =>
  new ApiError({ type: 'about:blank', title: '', status, code, detail: '', request_id: 'req-7' })

describe('a list', () => {
  test('shows the number of its records and each of them', async () => {
    await aList({})
    expect(said(one('[role="status"]'))).toBe('2 entries')
    expect([...document.querySelectorAll('tbody a')].map(said)).toEqual(['Ana', 'Björn'])
    expect(said(one('caption'))).toBe('Patients')
  })

  test('shows that it is loading, without a number or a table, until the first response', async () => {
    await aList({ rows: null, loading: true, total: undefined })
    expect(one('[aria-busy="true"]')).not.toBeNull()
    expect([said(one('[role="status"]')), one('table')]).toEqual(['Loading', null])
  })

  test('keeps its content while it loads again', async () => {
    await aList({ loading: true })
    expect([one('table').getAttribute('aria-busy'), document.querySelectorAll('tbody tr').length]).toEqual(['true', 2])
  })

  test('that is empty offers to add the first record', async () => {
    await aList({ rows: [], total: 0, emptyText: 'Patients appear here.' })
    expect(said()).toContain('Nothing here yet')
    expect(said()).toContain('Patients appear here.')
    expect(said()).toContain('Add the first patient')
  })

  test('that is empty only because its default filters hide entries offers to show them', async () => {
    const onAll = vi.fn()
    await aList({ rows: [], total: 0, hidden: 43, onAll })
    expect(said()).toContain('The filter hides 43 entries')
    expect(said()).not.toContain('Nothing here yet')
    await press('Show all')
    expect(onAll).toHaveBeenCalledTimes(1)
  })

  test('that is empty because of its filters offers to reset them instead', async () => {
    const onClear = vi.fn()
    await aList({ rows: [], total: 0, filtered: true, onClear })
    expect(said()).toContain('No matches')
    expect(said()).not.toContain('Add the first patient')
    await press('Reset filters')
    expect(onClear).toHaveBeenCalledTimes(1)
  })
})

describe('a list that could not be loaded', () => {
  test('shows why, and tries again on request', async () => {
    const onRetry = vi.fn()
    await aList({ rows: null, error: refused(503, 'database_unavailable'), onRetry })
    expect(said(one('[role="alert"]'))).toContain('The service can’t reach its database.')
    expect(said(one('[role="alert"]'))).toContain('req-7')
    expect(one('[aria-busy="true"]')).toBeNull()
    await press('Try again')
    expect(onRetry).toHaveBeenCalledTimes(1)
  })

  test('keeps its previous content beside the error', async () => {
    await aList({ error: refused(0, 'unreachable') })
    expect(said(one('[role="alert"]'))).toContain('Can’t reach the service.')
    expect(document.querySelectorAll('tbody tr')).toHaveLength(2)
  })
})

describe('the page buttons of a list', () => {
  test('go back and forward, and stop at the first and the last page', async () => {
    const onPage = vi.fn()
    const { change } = await aList({ total: 45, onPage })
    expect(said(one('nav'))).toBe('Page 1 of 3')
    expect([button('Previous page').disabled, button('Next page').disabled]).toEqual([true, false])
    await press('Next page')
    expect(onPage).toHaveBeenLastCalledWith(2)
    await change({ page: 3 })
    expect([button('Previous page').disabled, button('Next page').disabled]).toEqual([false, true])
  })

  test('are hidden when one page has all records', async () => {
    await aList({})
    expect(findButton('Next page')).toBeUndefined()
  })

  test('lead back to the first page from a page that does not exist', async () => {
    const onPage = vi.fn()
    await aList({ rows: [], total: 2, page: 9, onPage })
    expect(said()).toContain('Page 9 doesn’t exist')
    await press('Go to the first page')
    expect(onPage).toHaveBeenLastCalledWith(1)
  })
})

test('a column heading shows the sort order, and pressing it sorts by the column, then in reverse', async () => {
  const onSort = vi.fn()
  const { change } = await aList({ sort: 'created_at', onSort })
  expect(one('th').getAttribute('aria-sort')).toBe('none')
  await press('Sort by Name')
  expect(onSort).toHaveBeenLastCalledWith('-name')
  await change({ sort: '-name' })
  expect(one('th').getAttribute('aria-sort')).toBe('descending')
  await press('Sort by Name')
  expect(onSort).toHaveBeenLastCalledWith('name')
})
