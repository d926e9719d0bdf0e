/** Hands a file to the browser's downloads, named as the answer says. */
export function saveFile(blob: Blob, headers: Headers): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? ''
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000) // a browser may ask where to put it first
}
