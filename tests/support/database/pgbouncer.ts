import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type NetConnectOpts } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, textOf, until } from '../cli.ts'
import { aTcpProxy } from './tcp-proxy.ts'

const NOBODY_UID = 65534
const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find(existsSync)
/** Debian's package; `.ci/run` installs it. */
export const hasPgBouncer = program !== undefined

interface Pooling {
  target: NetConnectOpts
  login: string
  mode: 'transaction' | 'session'
  settings?: Record<string, string | number>
}

/** PgBouncer in front of a server; `login` has the server's credentials, such as `user=postgres`. */
export async function aPgBouncer({
  target,
  login,
  mode,
  settings = {}
}: Pooling): Promise<{ port: number, close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-pooler-'))
  chmodSync(folder, 0o755)
  const proxy = await aTcpProxy(target) // it may be a socket that only the server's user can open
  const port = await freePort()
  const own = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: mode,
    ...settings
  }
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${proxy.port} ${login}`,
    '[pgbouncer]',
    ...Object.entries(own).map(([name, value]) => `${name} = ${value}`)
  ]
  writeFileSync(join(folder, 'pgbouncer.ini'), lines.join('\n'))

  const user = process.getuid?.() === 0 ? { uid: NOBODY_UID, gid: NOBODY_UID } : {}
  const child = spawn(program!, [join(folder, 'pgbouncer.ini')], { ...user, stdio: ['ignore', 'ignore', 'pipe'] })
  const log = textOf(child.stderr)
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start: ${log()}`)
    return await isOpen(port)
  })
  return {
    port,
    async close() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      await proxy.close()
      rmSync(folder, { recursive: true })
    }
  }
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return await once(socket, 'connect').then(() => true, () => false).finally(() => socket.destroy())
}
