import autocannon, { type Request } from 'autocannon'

/** The n-th request of a run. */
export type Ask = (n: number) => { path: string, headers?: Record<string, string> }

interface Load { url: string, ask: Ask, connections: number, seconds?: number, amount?: number }

/**
 * Responses per second. Throws when a response was not successful, because figures of failed requests are meaningless.
 */
export async function answersPerSecond({ url, ask, connections, seconds, amount }: Load): Promise<number> {
  let n = 0
  let [begun, ended] = [0, 0]
  const setupRequest = (request: Request): Request => {
    if (n === 0) begun = performance.now()
    const { path, headers = {} } = ask(n++)
    return { ...request, method: 'GET', path, headers: { ...request.headers, ...headers } }
  }
  const limit = amount === undefined ? { duration: seconds } : { amount }
  const run = autocannon({ url, connections, timeout: 30, ...limit, requests: [{ setupRequest }] })
  run.on('response', () => { ended = performance.now() })
  const result = await run
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals and ${result.errors} errors beside ${result['2xx']} answers`)
  return result['2xx'] / (ended - begun) * 1000 // its own duration ends with a whole second
}
