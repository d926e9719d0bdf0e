import { defineEndpoint, problem } from '@svc/kit'
import { z } from 'zod'
import { ActiveModule, ModuleInfo, ModuleOperation, ModuleRow, ModuleStatus, OperationQuery } from '../../../shared/contract.ts'
import type { CoreEndpoint } from '../http/pipeline.ts'
import { discover } from '../modules/discover.ts'
import { countModules, describeModule, listModules, listOperations } from '../modules/report.ts'
import type { RunningModule, Services } from '../services.ts'

export const moduleEndpoints = (services: Services): CoreEndpoint[] => [activeEndpoint(services), ...adminEndpoints(services)]

function activeEndpoint(services: Services): CoreEndpoint {
  let active: Promise<ActiveModule[]> | undefined
  return defineEndpoint({
    method: 'get', path: '/modules/-/active', access: 'session',
    summary: 'The modules that are installed and run in this process.',
    response: z.array(ActiveModule),
    // What runs does not change while the process lives.
    handle: () => active ??= describeActive(services)
  })
}

async function describeActive({ registry, config }: Services): Promise<ActiveModule[]> {
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

const access = 'admin-token'

function adminEndpoints({ database: { sql }, config }: Services): CoreEndpoint[] {
  return [
    defineEndpoint({
      method: 'get', path: '/modules', access,
      summary: 'Every module, as `svc modules list --json`.',
      response: z.array(ModuleRow),
      handle: () => listModules(sql, config)
    }),
    defineEndpoint({
      method: 'get', path: '/modules/:name', access,
      summary: 'One module and its last ten steps, as `svc modules info --json`.',
      response: ModuleInfo,
      async handle({ params }) {
        const module = await describeModule(sql, config, params.name!)
        if (!module) throw problem('not_found', { detail: 'There is no such module.' })
        return module
      }
    }),
    defineEndpoint({
      method: 'get', path: '/modules/-/status', access,
      summary: 'Counts per state, pending and errored modules.',
      response: ModuleStatus,
      handle: async () => countModules(await listModules(sql, config))
    }),
    defineEndpoint({
      method: 'get', path: '/modules/-/operations', access,
      summary: 'Steps of installs, upgrades and uninstalls, newest first.',
      query: OperationQuery, response: z.array(ModuleOperation),
      handle: ({ query }) => listOperations(sql, query)
    })
  ]
}
