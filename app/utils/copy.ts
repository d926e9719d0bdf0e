/**
 * Puts a text on the clipboard; false when the browser refuses. Without the clipboard's own way (a page that is not
 * served over https) it goes the old one, through a field in `place`: a dialog takes the focus back from everything
 * outside.
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
