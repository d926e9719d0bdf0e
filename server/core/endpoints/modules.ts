import { defineEndpoint, problem, reply } from '@svc/kit'
import * as z from 'zod'
import {
  ActiveModule, Backup, Diagnosis, ModuleInfo, ModuleOperation, ModuleRow, ModuleStatus, OperationQuery, Restarting, Scheduled, ScheduleRequest, UninstallRequest
} from '../../../shared/contract.ts'
import type { CoreEndpoint } from '../http/pipeline.ts'
import { listBackups } from '../modules/backup.ts'
import { COMMANDS, runCommand, type Command } from '../modules/commands.ts'
import { discover } from '../modules/discover.ts'
import { examine } from '../modules/doctor.ts'
import { countModules, describeModule, listModules, listOperations } from '../modules/report.ts'
import type { RunningModule, Services } from '../services.ts'

export const moduleEndpoints = (services: Services): CoreEndpoint[] =>
  [activeEndpoint(services), ...readingEndpoints(services), ...lookingEndpoints(services), ...schedulingEndpoints(services), restartEndpoint(services)]

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

function readingEndpoints({ database: { sql }, config }: Services): CoreEndpoint[] {
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

function lookingEndpoints({ database: { sql }, config, registry, files, operator_certificate, db, secrets }: Services): CoreEndpoint[] {
  return [
    defineEndpoint({
      method: 'get', path: '/modules/-/doctor', access,
      summary: 'What is wrong with modules and data, as `svc modules doctor --json`.',
      response: Diagnosis,
      handle: () => examine({ sql, db, config, files, operator_certificate, secrets, modules: registry.modules, broken: registry.broken })
    }),
    defineEndpoint({
      method: 'get', path: '/modules/-/backups', access,
      summary: 'Backups of removed modules, newest first.',
      response: z.array(Backup),
      handle: () => listBackups(config)
    })
  ]
}

const SUMMARIES: Record<Command, string> = {
  install: 'Schedules the install of a module and of every missing dependency.',
  upgrade: 'Schedules the upgrade of a module to its version on disk.',
  uninstall: 'Schedules the removal of a module.',
  orphan: 'Gives up a module whose code is gone.',
  cancel: 'Takes back what is scheduled, until its first step has completed.'
}

/** Rows only; a restart applies them. Nothing to do, and a rehearsal: 200. */
function schedulingEndpoints({ database: { sql }, config, version }: Services): CoreEndpoint[] {
  const of = (command: Command) => defineEndpoint({
    method: 'post', path: `/modules/:name/${command}`, access,
    summary: SUMMARIES[command],
    body: command === 'uninstall' ? UninstallRequest : ScheduleRequest, response: Scheduled,
    status: 202, also: { 200: 'Nothing to do, or a rehearsal.' }, problems: ['module_refused', 'modules_busy'],
    async handle({ params, body }) {
      const { changed, answer } = await runCommand({ sql, config, version }, { command, name: params.name!, ...body })
      return reply({ status: changed ? 202 : 200, data: answer })
    }
  })
  return COMMANDS.map(of)
}

function restartEndpoint(services: Services): CoreEndpoint {
  return defineEndpoint({
    method: 'post', path: '/modules/-/restart', access,
    summary: 'Restarts the service: every instance, one after the other.',
    response: Restarting, status: 202,
    async handle() {
      await services.restart()
      return { status: 'restarting', boot_id: services.boot_id }
    }
  })
}
