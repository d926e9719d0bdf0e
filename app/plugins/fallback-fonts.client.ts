/** A superset of the scripts that may need a font. The exact ranges are loaded with the first such character. */
const RARE = /[\u05D0-\u05FF\u0904-\u11FF\u2600-\u27BF\u2E80-\uFB4F\uFF66-\uFF9F]/

/** Loads the fonts of other scripts once a page shows such a character, in names, responses or typed text. */
export default defineNuxtPlugin(() => {
  const load = async (text: string | null) => {
    if (text && RARE.test(text)) (await import('../utils/fonts/load-fallback-fonts')).loadFallbackFonts(text)
  }
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes)
      for (const { textContent } of addedNodes.length > 0 ? addedNodes : [target]) void load(textContent)
  }).observe(document.body, { childList: true, characterData: true, subtree: true })
  addEventListener('input', ({ target }) => void load((target as HTMLInputElement).value))
})
