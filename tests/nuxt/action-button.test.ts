import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ActionButton } from '#components'
import { forgetSession, signIn } from './support/api.ts'
import { button, draw, press, said } from './support/screen.ts'

beforeEach(forgetSession)

test('an allowed action runs once when its button is pressed', async () => {
  const onClick = vi.fn()
  await draw(ActionButton, { props: { label: 'Send', onClick } })
  await press('Send')
  expect(onClick).toHaveBeenCalledTimes(1)
})

test('an action cannot be started again while it runs', async () => {
  const onClick = vi.fn()
  const { change } = await draw(ActionButton, { props: { label: 'Send', onClick, loading: true } })
  await press('Send')
  expect(onClick).not.toHaveBeenCalled()
  await change({ loading: false })
  await press('Send')
  expect(onClick).toHaveBeenCalledTimes(1)
})

describe('an action with a keyboard shortcut', () => {
  const pressKeys = () =>
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', code: 'KeyN', altKey: true, bubbles: true }))

  test('shows its keys, and runs when they are pressed', async () => {
    const onClick = vi.fn()
    await draw(ActionButton, { props: { label: 'New budget', keys: 'Alt+N', onClick } })
    expect(button('New budget').getAttribute('aria-keyshortcuts')).toBe('Alt+N')
    expect(button('New budget').title).toBe('New budget (Alt N)')
    pressKeys()
    expect(onClick).toHaveBeenCalledTimes(1)
  })

  test('does not run behind a dialog', async () => {
    const onClick = vi.fn()
    await draw(ActionButton, { props: { label: 'New budget', keys: 'Alt+N', onClick } })
    const dialog = document.body.appendChild(document.createElement('div'))
    dialog.setAttribute('role', 'dialog')
    pressKeys()
    dialog.remove()
    expect(onClick).not.toHaveBeenCalled()
  })
})

describe('an action that is unavailable for a reason', () => {
  test('can be reached by keyboard, and its description has the reason', async () => {
    await draw(ActionButton, { props: { label: 'Send', reason: 'It has no lines yet.' } })
    const send = button('Send')
    expect([send.disabled, send.getAttribute('aria-disabled')]).toEqual([false, 'true'])
    expect(document.getElementById(send.getAttribute('aria-describedby')!)!.textContent).toBe('It has no lines yet.')
  })

  test('only shows the reason when it is pressed', async () => {
    const onClick = vi.fn()
    await draw(ActionButton, { props: { label: 'Send', reason: 'It has no lines yet.', onClick } })
    await press('Send')
    expect(onClick).not.toHaveBeenCalled()
    await expect
      .poll(() => said(document.querySelector('[role="tooltip"]') ?? undefined))
      .toContain('It has no lines yet.')
  })

  test('submits no form', async () => {
    const onClick = vi.fn()
    await draw(ActionButton, { props: { label: 'Save', type: 'submit', reason: 'Nothing changed.', onClick } })
    const event = new MouseEvent('click', { bubbles: true, cancelable: true })
    button('Save').dispatchEvent(event)
    expect(event.defaultPrevented).toBe(true)
  })
})

describe('an action that needs a permission', () => {
  test('shows the permission to people who do not have it', async () => {
    await signIn({ permissions: ['budget.read'] })
    await draw(ActionButton, { props: { label: 'Send', permission: 'budget.write' } })
    expect(button('Send').getAttribute('aria-disabled')).toBe('true')
    expect(said()).toContain('Permission denied: budget.write')
  })

  test('runs for people who have it', async () => {
    const onClick = vi.fn()
    await signIn({ permissions: ['budget.write'] })
    await draw(ActionButton, { props: { label: 'Send', permission: 'budget.write', onClick } })
    await press('Send')
    expect(onClick).toHaveBeenCalledTimes(1)
  })
})
