/**
 * Copies a text to the clipboard. Returns false if the browser refuses. Without the clipboard API (on pages that aren't
 * served over https) it copies from a temporary field in `place`, because a dialog takes the focus back from fields
 * outside it.
 */
export async function copyText(text: string, place: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByHand(text, place)
  }
}

function copyByHand(text: string, place: HTMLElement): boolean {
  const field = Object.assign(document.createElement('textarea'), { value: text, readOnly: true })
  field.style.cssText = 'position:fixed;opacity:0'
  place.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  return done
}
