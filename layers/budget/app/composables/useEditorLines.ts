import type { Ref } from 'vue'
import type { FormLine } from '../utils/budget-form.ts'
import { inOrder, isExtra, newChoice, newOption, sectionsOf, type FormChoice, type Section } from '../utils/budget-options.ts'

/** The lines and choices in a budget's form: moving lines, and adding and removing choices. */
export function useEditorLines(lines: Ref<FormLine[]>, choices: Ref<FormChoice[]>) {
  const { t } = useI18n()
  /** The text for screen readers. */
  const said = ref('')
  const sections = computed(() => sectionsOf(choices.value))
  const linesOf = (section: Section) => lines.value.filter(({ option }) => option === section)
  const optionOf = (section: Section) =>
    choices.value.flatMap(({ options }) => options).find(({ key }) => key === section)
  const choiceOf = (section: Section) => choices.value.find(({ options }) => options.some(({ key }) => key === section))

  const titleOf = (section: Section) => section === null ? t('budget.choice.base') : optionOf(section)?.title ?? ''

  /** Sets both models and returns the new lines, because a model can only be read after the parent has rendered. */
  function arrange(all: readonly FormLine[], now: FormChoice[] = choices.value): FormLine[] {
    if (now !== choices.value) choices.value = now
    return lines.value = inOrder(all, now)
  }

  /** Moves a line to a place in a section. The focused element keeps the focus. */
  async function place(line: FormLine, section: Section, at: number) {
    const others = lines.value.filter(other => other !== line)
    const before = others.filter(({ option }) => option === section)[at]
    const isMoved = line.option !== section
    line.option = section
    const restoreFocus = keepFocus(line)
    const arranged = arrange(others.toSpliced(before ? others.indexOf(before) : others.length, 0, line))
    said.value = isMoved && choices.value.length > 0
      ? t('budget.editor.moved_to', { title: titleOf(section) })
      : t('budget.editor.moved', { n: arranged.indexOf(line) + 1, count: arranged.length })
    await restoreFocus()
  }

  /** The target of a step up or down: within the section, or in the previous or next one. Null at the end. */
  function stepFrom(line: FormLine, by: 1 | -1): { section: Section, at: number } | null {
    const own = linesOf(line.option)
    const at = own.indexOf(line) + by
    if (at >= 0 && at < own.length) return { section: line.option, at }
    const next = sections.value[sections.value.indexOf(line.option) + by]
    return next === undefined ? null : { section: next, at: by > 0 ? 0 : linesOf(next).length }
  }
  async function step(line: FormLine, by: 1 | -1) {
    const to = stepFrom(line, by)
    if (to) await place(line, to.section, to.at)
  }

  function addChoice(choice: FormChoice, moved: Map<number, FormLine> = new Map()) {
    moved.forEach((line, section) => line.option = section)
    arrange(lines.value, [...choices.value, choice])
  }
  /** Makes a line optional for the patient. */
  async function makeExtra(line: FormLine, name: string) {
    const restoreFocus = keepFocus(line)
    const option = newOption(name)
    addChoice(newChoice(name, 'at_most_one', [option]), new Map([[option.key, line]]))
    said.value = t('budget.editor.moved_to', { title: option.title })
    await restoreFocus()
  }
  /** Makes an optional line part of every selection again. */
  async function makeBase(line: FormLine) {
    const restoreFocus = keepFocus(line)
    removeOptions([line.option])
    said.value = t('budget.editor.moved_to', { title: titleOf(null) })
    await restoreFocus()
  }
  /** Makes each line an option of a new choice, which has at least two options. */
  function makeChoice(title: string, from: readonly { line: FormLine, name: string }[]): FormChoice {
    const options = from.map(({ name }) => newOption(name))
    const moved = new Map(options.map(({ key }, index) => [key, from[index]!.line]))
    while (options.length < 2) options.push(newOption())
    const choice = newChoice(title, 'exactly_one', options)
    addChoice(choice, moved)
    return choice
  }
  /** Removes options. Their lines aren't lost, but become part of every selection. */
  function removeOptions(removed: readonly Section[]) {
    lines.value.forEach((line) => {
      if (removed.includes(line.option)) line.option = null
    })
    const left = choices.value
      .map(choice => ({ ...choice, options: choice.options.filter(({ key }) => !removed.includes(key)) }))
      .filter(({ options }) => options.length > 0)
    arrange(lines.value, left)
  }
  const removeOption = (section: number) => removeOptions([section])
  const removeChoice = (choice: FormChoice) => removeOptions(choice.options.map(({ key }) => key))
  /** Whether the line is in an extra. `makeBase` is only for such lines: others stay with their option. */
  const isOptional = (line: FormLine) => {
    const choice = choiceOf(line.option)
    return choice !== undefined && isExtra(choice)
  }

  return {
    said,
    linesOf,
    titleOf,
    sections,
    arrange,
    place,
    step,
    stepFrom,
    makeExtra,
    makeBase,
    makeChoice,
    removeOption,
    removeChoice,
    isOptional
  }
}
export type EditorLines = ReturnType<typeof useEditorLines>

/**
 * Returns a function that restores the focus after the line is rendered elsewhere: to the same element, or else the
 * same field of the line, or else its first field.
 */
function keepFocus(line: FormLine): () => Promise<void> {
  const held = document.activeElement
  const before = held?.getBoundingClientRect().top
  const fields = () =>
    [...document.querySelectorAll<HTMLElement>(`#line-${line.key} :is(input, select, textarea, button)`)]
  const wanted = fields().find(field => field === held)
  const name = wanted && fieldKey(wanted)
  return async () => {
    await nextTick()
    const isStill = held instanceof HTMLElement && held.isConnected && held !== document.body
    const [first] = fields()
    const now = isStill ? held : name ? fields().find(field => fieldKey(field) === name) ?? first : undefined
    if (!now) return
    now.focus({ preventScroll: wanted !== undefined })
    if (wanted) scrollTo(now, before!)
  }
}

/** Scrolls so that the element is where the other one was: the line stays under the pointer that moved it. */
function scrollTo(element: HTMLElement, top: number) {
  const moved = element.getBoundingClientRect().top - top
  let scroller: HTMLElement | null = element.parentElement
  while (scroller && !/auto|scroll/.test(getComputedStyle(scroller).overflowY)) scroller = scroller.parentElement
  ;(scroller ?? document.documentElement).scrollBy({ top: moved, behavior: 'instant' })
}

const fieldKey = (field: HTMLElement) =>
  [
    field.tagName,
    field.getAttribute('type'),
    field.closest<HTMLElement>('[data-field]')?.dataset.field ?? field.getAttribute('aria-label')
  ].join(' ')
