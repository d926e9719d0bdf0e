/** The reason why a `fetch` failed, without its URL: the message alone is "fetch failed". */
export function explainFetch(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'no answer in time'
  const { cause } = error as { cause?: NodeJS.ErrnoException }
  return cause?.code ?? cause?.message ?? error.message
}
