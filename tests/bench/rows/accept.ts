import { ACCEPTANCE } from '../../support/builders.ts'
import { startBare } from '../support/bare.ts'
import type { BenchInstance } from '../support/instance.ts'
import { openLinks, type OpenLink } from '../support/links.ts'
import { compare, type Figure } from '../support/measure.ts'

const AT_ONCE = 16
const ROUNDS = 15
const WARM_UP = 3

/**
 * Sixteen patients accept their budgets at the same time. The invoices, emails and attempts at signed PDFs come
 * afterwards. The row waits for them, but does not measure them.
 */
export async function accept(instance: BenchInstance): Promise<Figure[]> {
  const links = await openLinks(instance, 2 * AT_ONCE * (instance.size === 'full' ? ROUNDS + WARM_UP : 1))
  const bare = await instance.bare('handlers')
  const server = await startBare(bare, instance.env, '/ready')
  const acceptAll = (addressOf: (link: OpenLink) => string) => () =>
    Promise.all(links.splice(0, AT_ONCE).map(link => post(addressOf(link), instance.url, link)))
  try {
    return [
      await compare({
        name: 'accept, 16 different budgets at once',
        baseline: {
          name: 'the same statements in one transaction behind a bare handler',
          run: acceptAll(({ token }) => `${server.url}/accept/${token}`)
        },
        run: acceptAll(({ base }) => `${instance.url}${base}/accept`),
        after: () => quiet(instance),
        at_most: 2,
        size: instance.size,
        rounds: ROUNDS,
        warm_up: WARM_UP
      })
    ]
  } finally {
    await server.stop()
    await instance.sql`delete from core_delivery where module_name = 'bench'`
  }
}

async function post(url: string, origin: string, { headers }: OpenLink): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, origin, 'content-type': 'application/json' },
    body: JSON.stringify(ACCEPTANCE)
  })
  if (response.status !== 200) throw new Error(`accept answered ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}

/**
 * Until each job of the product was tried. It makes no signed PDF of these copies, because it did not write their logs.
 */
async function quiet({ sql }: BenchInstance): Promise<void> {
  const until = performance.now() + 120_000
  while (
    (await sql`select 1 from core_delivery where status = 'pending' and attempts = 0 and module_name <> 'bench' limit 1`).length > 0
  ) {
    if (performance.now() > until) throw new Error('the jobs of an acceptance do not end')
    await new Promise(resolve => setTimeout(resolve, 25))
  }
}
