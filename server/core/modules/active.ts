import type { ActiveModule } from '../../../shared/contract.ts'
import type { RunningModule, Services } from '../services.ts'
import { discover } from './discover.ts'

const known = new WeakMap<Services, Promise<ActiveModule[]>>()

/**
 * The modules that run, with their navigation in order. Read once: what runs does not change while the process lives.
 */
export function describeActive(services: Services): Promise<ActiveModule[]> {
  const active = known.get(services) ?? describe(services)
  known.set(services, active)
  return active
}

async function describe({ registry, config }: Services): Promise<ActiveModule[]> {
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
