import folder from '#build/fallback-fonts.mjs'
import { fontSheetsFor } from '../../../shared/fallback-fonts.ts'

/** Links the style sheets for the characters of a text, each once. */
export function loadFallbackFonts(text: string): void {
  for (const sheet of fontSheetsFor(text)) {
    const href = `${folder}/${sheet}.css`
    if (document.querySelector(`link[href="${href}"]`)) continue
    document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href }))
  }
}
