const HINTED = '[data-hint], td.cut'

/**
 * The text that a row of a list hides: of a cell that is cut, or of an icon with `data-hint`. It is shown for what is
 * under the pointer, and for the whole row while its link has the keyboard's focus.
 */
export function useRowHint() {
  const anchor = shallowRef<HTMLElement>()
  const text = ref('')
  let timer: ReturnType<typeof setTimeout> | undefined
  let under: Element | null = null

  function showSoon(element: HTMLElement, words: string, delay: number) {
    clearTimeout(timer)
    text.value = ''
    if (!words) return
    timer = setTimeout(() => {
      anchor.value = element
      text.value = words
    }, delay)
  }
  function hide(delay = 0) {
    clearTimeout(timer)
    under = null
    timer = setTimeout(() => {
      text.value = ''
    }, delay)
  }
  onUnmounted(() => clearTimeout(timer))

  return {
    anchor,
    text,
    hide,
    /** The pointer is on the hint, which stays open. */
    keep: () => clearTimeout(timer),
    on: {
      pointerover({ target, pointerType }: PointerEvent) {
        const found = target instanceof Element ? target.closest<HTMLElement>(HINTED) : null
        if (found === under || pointerType === 'touch') return
        if (found) showSoon(found, hintOf(found), 300)
        else hide(150)
        under = found
      },
      pointerleave: () => hide(150),
      focusin({ target }: FocusEvent) {
        const link = target instanceof HTMLElement && target.matches('.row-link:focus-visible') ? target : null
        const row = link?.closest('tr')
        if (row) showSoon(link!, [...row.querySelectorAll<HTMLElement>(HINTED)].map(hintOf).filter(Boolean).join(' · '), 600)
      },
      focusout: () => hide()
    }
  }
}

function hintOf(element: HTMLElement): string {
  if (element.dataset.hint) return element.dataset.hint
  const content = element.lastElementChild as HTMLElement | null
  return content && content.scrollWidth > content.clientWidth ? content.textContent.replace(/\s+/g, ' ').trim() : ''
}
