import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import { aFolder } from '../../support/cli.ts'
import { root } from '../../support/modules/official.ts'

const SCRIPT = join(root, 'deploy/ha/on-one-machine.sh')
const NETWORK = '10.89.0'
const ADDRESSES = { 'db-a': `${NETWORK}.11`, 'db-b': `${NETWORK}.12`, 'db-c': `${NETWORK}.13` }
export type DatabaseNode = keyof typeof ADDRESSES
export type Machine = DatabaseNode | 'app-a' | 'app-b'
export type Command = 'kill' | 'kill-database' | 'disconnect' | 'start' | 'reconnect'
const NODES = Object.keys(ADDRESSES) as DatabaseNode[]

/** `deploy/ha` as it is published, started by its own script. Each machine is a network namespace of this one. */
export interface Cluster {
  /** HAProxy in front of both instances. */
  url: string
  /** The nodes themselves, for queries of a test to the primary. */
  databaseUrl: string
  /** The folder with the documents and the other folders of an instance. */
  storage: string
  /** Patroni's version, which determines the files to use. */
  version: string
  /** A command of the script, for several machines at once. */
  tell (command: Command, ...machines: Machine[]): Promise<void>
  startService (settings: Record<string, string>): Promise<void>
  /** Null when HAProxy would have no target. */
  primary (): Promise<DatabaseNode | null>
  /** The standbys that the primary's commits wait for first, then the others. */
  standbys (): Promise<DatabaseNode[]>
  /** Resolves when there are a primary and two standbys that stream from it. */
  whole (): Promise<void>
  /** Sends SIGSTOP or SIGCONT only to PostgreSQL on that node, while Patroni keeps running. */
  signalPostgres (node: DatabaseNode, signal: 'SIGSTOP' | 'SIGCONT'): void
  /** An address at which the machines reach servers on this machine's loopback address. */
  reach (url: string): Promise<string>
  close (): Promise<void>
}

/** The reason why the cluster can't be started here, or null when it can. */
export function whatIsMissing(): string | null {
  const { status, stderr } = spawnSync(SCRIPT, ['check'], { encoding: 'utf8' })
  return status === 0 ? null : stderr.trim()
}

export async function aCluster(): Promise<Cluster> {
  const parent = aFolder()
  const folder = join(parent.path, 'ha')
  const env = { ...process.env, HA_FOLDER: folder, HA_NETWORK: NETWORK }
  const say = (...words: string[]) => promisify(execFile)(SCRIPT, words, { env })
  const doors: ReturnType<typeof createServer>[] = []
  spawnSync('chmod', ['755', parent.path]) // PostgreSQL's user must be able to enter it
  await say('up')
  setDefaultCACertificates([...getCACertificates(), readFileSync(join(folder, 'certificate.pem'), 'utf8')])
  const password = readFileSync(join(folder, 'password'), 'utf8').trim()
  const hosts = NODES.map(node => `${ADDRESSES[node]}:5432`).join()

  return {
    url: `https://${NETWORK}.21`,
    databaseUrl: `postgres://dental:${password}@${hosts}/dental?target_session_attrs=read-write`,
    storage: join(folder, 'app-a/storage'),
    version: (await findMember(NODES[0]!))!.patroni.version,
    primary: findPrimary,
    standbys: findStandbys,
    signalPostgres: (node, signal) => signalAll(join(folder, node, 'postgresql/dental/postmaster.pid'), signal),
    whole: async () => void (await say('wait')),
    startService: async settings =>
      void (await say('service', ...Object.entries(settings).map(pair => pair.join('=')))),
    tell: async (command, ...machines) =>
      void (await Promise.all(machines.map(machine => say(command, machine)))),
    async reach(url) {
      const door = openDoor(Number(new URL(url).port))
      doors.push(door)
      await once(door, 'listening')
      return url.replace(new URL(url).host, `${NETWORK}.1:${(door.address() as AddressInfo).port}`)
    },
    async close() {
      for (const door of doors) door.close()
      await say('down')
      parent.remove()
    }
  }
}

interface Member {
  patroni: { version: string }
  replication?: { application_name: DatabaseNode, state: string, sync_state: string }[]
}

/** Patroni's own status on that node, or null without a response. */
function findMember(node: DatabaseNode, path = '/patroni'): Promise<Member | null> {
  const answer = fetch(`http://${ADDRESSES[node]}:8008${path}`, { signal: AbortSignal.timeout(2_000) })
  return answer.then(async found => (found.ok ? await found.json() as Member : null), () => null)
}

async function findPrimary(): Promise<DatabaseNode | null> {
  const answers = await Promise.all(NODES.map(node => findMember(node, '/primary')))
  return NODES.find((_node, at) => answers[at]) ?? null
}

async function findStandbys(): Promise<DatabaseNode[]> {
  const primary = await findPrimary()
  const { replication = [] } = (primary && await findMember(primary)) ?? {}
  const isAsync = ({ sync_state }: { sync_state: string }) => Number(sync_state === 'async')
  return replication
    .filter(({ state }) => state === 'streaming')
    .sort((one, other) => isAsync(one) - isAsync(other))
    .map(({ application_name }) => application_name)
}

function signalAll(pidFile: string, signal: NodeJS.Signals): void {
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
  for (const each of [pid, ...children]) process.kill(each, signal)
}

function openDoor(port: number) {
  const door = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const [from, to] of [[near, far], [far, near]] as const)
      from.on('error', () => {}).on('close', () => to.destroy()).pipe(to)
  })
  return door.listen(0, `${NETWORK}.1`)
}
