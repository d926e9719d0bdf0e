import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aUser } from '../../support/accounts.ts'
import { cleanEnv, freePort, textOf } from '../../support/cli.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { PASSWORD } from '../../support/people.ts'

const root = resolve(import.meta.dirname, '../../..')
const page = readFileSync(join(root, 'docs/api.md'), 'utf8')

let instance: Instance
let folder: string
beforeAll(async () => {
  instance = await anInstance({ env: { SVC_WEBHOOK_ALLOW_PRIVATE: 'true' } })
  folder = mkdtempSync(join(tmpdir(), 'svc-api-'))
})
afterAll(async () => {
  await instance.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Does what a reader does: writes the receiver, and enters the blocks one after the other. */
async function walk(): Promise<{ code: number | null, said: string }> {
  const { email } = await aUser(instance, { role: 'admin' })
  const port = String(await freePort())
  const typed = (text: string) => text
    .replaceAll('http://localhost:3000', instance.url)
    .replaceAll('admin@aurora.example', email)
    .replaceAll('aurora-demo-clinic', PASSWORD)
    .replaceAll('4000', port)
  const [, name, receiver] = /^\*\*`([^`]+)`\*\*\n\n```js\n([\s\S]*?)^```$/m.exec(page)!
  writeFileSync(join(folder, name!), typed(receiver!))
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => typed(block!))
  const script = ['set -e', 'trap \'kill $(jobs -p) 2>/dev/null || true\' EXIT', ...blocks].join('\n')
  const child = spawn('bash', ['-c', script], {
    cwd: folder,
    env: cleanEnv({ PATH: `${dirname(process.execPath)}:${process.env.PATH}` })
  })
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)]
  const [code] = await once(child, 'close') as [number | null]
  return { code, said: stdout() + stderr() }
}

test('docs/api.md leads from a token to a signed PDF and a verified webhook', async () => {
  const { code, said } = await walk()
  expect([code, said]).toEqual([0, expect.stringContaining('accepted')])
  expect(said).toContain('510.00')
  expect(readFileSync(join(folder, 'signed.pdf')).subarray(0, 5).toString()).toBe('%PDF-')
  const events = readFileSync(join(folder, 'events.ndjson'), 'utf8').trim().split('\n')
    .map(line => JSON.parse(line) as { type: string })
  expect(events.map(({ type }) => type).sort()).toEqual(['budget.accepted', 'budget.signed_pdf_ready'])
}, 120_000)
