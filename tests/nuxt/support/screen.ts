import { flushPromises } from '@vue/test-utils'
import { mountSuspended } from '@nuxt/test-utils/runtime'
import { h, reactive, ref, type Component } from 'vue'
import { onTestFinished } from 'vitest'
import { UApp } from '#components'
import { useStaffTexts } from '#imports'

/** The compiler treats a component with a type parameter, such as ListView, as a function. */
type Drawable = Component | ((...setup: any[]) => unknown)

interface Drawn { props?: Record<string, unknown>, slots?: Record<string, (slot: never) => unknown>, route?: string }

/**
 * Renders a component like a page of the clinic, inside Nuxt UI's frame and with the clinic's texts. The frame is in
 * the document first, because an element outside the document can't get the focus.
 */
export async function draw(component: Drawable, { props = {}, slots = {}, route = '/' }: Drawn = {}) {
  const given = reactive({ ...props })
  const shown = ref(false)
  const Frame = {
    async setup() {
      await useStaffTexts()
      return () => h(UApp, null, () => shown.value ? h(component as Component, given, slots as never) : null)
    }
  }
  const wrapper = await mountSuspended(Frame, { attachTo: document.body, route })
  onTestFinished(() => wrapper.unmount())
  shown.value = true
  await flushPromises()
  return { change: async (some: Record<string, unknown>) => { Object.assign(given, some); await flushPromises() } }
}

/** Runs a composable as a component of the clinic would. */
export async function using<T>(composable: () => T, options: Drawn = {}): Promise<T> {
  let used: T
  await draw({ setup() { used = composable(); return () => null } }, options)
  return used!
}

const named = (element: Element) => (element.getAttribute('aria-label') ?? element.textContent ?? '').trim()

export function findButton(name: string) {
  return [...document.querySelectorAll('button')].find(button => named(button) === name)
}

export function button(name: string): HTMLButtonElement {
  const found = findButton(name)
  if (!found) throw new Error(`Button not found: "${name}", in: ${said()}`)
  return found
}

export async function press(name: string) {
  button(name).click()
  await flushPromises()
}

export async function type(field: HTMLInputElement, text: string) {
  field.focus()
  field.value = text
  field.dispatchEvent(new Event('input', { bubbles: true }))
  await flushPromises()
}

/** The whole visible text of the page. */
export const said = (within: Element = document.body) => (within.textContent ?? '').replace(/\s+/g, ' ').trim()

export const one = <E extends HTMLElement>(selector: string) => document.querySelector<E>(selector)!
