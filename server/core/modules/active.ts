import type { ActiveModule } from '../../../shared/contract.ts'
import type { RunningModule, Host } from '../host.ts'
import { discover } from './discover.ts'

const known = new WeakMap<Host, Promise<ActiveModule[]>>()

/**
 * The running modules, with their navigation in order. Read once, because they don't change while the process lives.
 */
export function describeActive(host: Host): Promise<ActiveModule[]> {
  const active = known.get(host) ?? describe(host)
  known.set(host, active)
  return active
}

async function describe({ registry, config }: Host): Promise<ActiveModule[]> {
  const summaries = new Map((await discover(config)).map(module => [module.name, module.summary]))
  return registry.modules.map(module => toActive(module, summaries.get(module.name) || null))
}

const toActive = ({ name, version, manifest }: RunningModule, summary: string | null): ActiveModule => ({
  name,
  version,
  category: manifest.category,
  summary,
  navigation: manifest.navigation.toSorted((a, b) => a.order - b.order),
  permissions: manifest.permissions.map(permission => `${name}.${permission}`)
})
