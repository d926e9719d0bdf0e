/** Groups digits for reading aloud: `482913` → `482 913`. */
export function groupedCode(code: string): string {
  const middle = Math.ceil(code.length / 2)
  return code.length < 5 ? code : `${code.slice(0, middle)} ${code.slice(middle)}`
}

/** Whether the message contains the code, with or without separators. The server checks this again, more strictly. */
export function holdsCode(message: string, code: string): boolean {
  return code.length >= 4 && message.normalize('NFKC').replace(/[^\p{L}\d]/gu, '').includes(code)
}
