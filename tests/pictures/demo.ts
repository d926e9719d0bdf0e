import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { DemoAccess } from '../../cli/demo/access.ts'
import { aFolder, cleanEnv, freePort, textOf, until } from '../support/cli.ts'
import { root } from '../support/modules/official.ts'

export interface Demo extends DemoAccess {
  url: string
  /** The open budget, which the patient's link leads to. */
  budget: { id: string }
  stop(): Promise<void>
}

/** `svc up --demo` in a folder of its own. */
export async function startDemo(): Promise<Demo> {
  const folder = aFolder()
  const port = String(await freePort())
  const up = spawn(join(root, 'bin/svc'), ['up', '--demo', '--json'], {
    env: cleanEnv({ SVC_STORAGE: folder.path, PORT: port }),
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const stop = async () => {
    if (up.exitCode === null && up.signalCode === null) {
      up.kill('SIGTERM')
      await once(up, 'exit')
    }
    folder.remove()
  }
  try {
    const { url, demo } = await readReport(up)
    return { ...demo, url, budget: { id: await findBudget(url, demo) }, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** What `up` prints once it is ready. A first build takes minutes. */
async function readReport(up: ChildProcess): Promise<{ url: string, demo: DemoAccess }> {
  const stdout = textOf(up.stdout!)
  const stderr = textOf(up.stderr!)
  return until(async () => {
    if (up.exitCode !== null) throw new Error(stderr())
    return /^\}$/m.test(stdout()) ? (JSON.parse(stdout()) as { url: string, demo: DemoAccess }) : null
  }, 600_000)
}

async function findBudget(url: string, { login, patient }: DemoAccess): Promise<string> {
  const { email, password } = login
  const signedIn = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password })
  })
  const { data: { access_token } } = (await signedIn.json()) as { data: { access_token: string } }
  const headers = { authorization: `Bearer ${access_token}` }
  const list = await fetch(`${url}/api/v1/budget/budgets?status=sent&page_size=100`, { headers })
  const { data } = (await list.json()) as { data: { id: string }[] }
  for (const { id } of data) {
    const detail = await fetch(`${url}/api/v1/budget/budgets/${id}`, { headers })
    const { data: { link } } = (await detail.json()) as { data: { link: { url: string | null } } }
    if (link.url === patient.link) return id
  }
  throw new Error('the demo has no budget behind the link that it prints')
}
