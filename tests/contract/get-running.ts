import type { RunningModule } from '../../server/core/host.ts'
import type { Instance } from '../support/instance.ts'

const HINT = 'The packages that it imports must be in its node_modules.'

/** Throws the error of a module that doesn't run: it helps the module's author more than "not found" would. */
export function getRunning({ runtime: { host: { registry } } }: Instance, name: string): RunningModule {
  const running = registry.get(name)
  if (running) return running
  const broken = registry.broken.find(module => module.name === name)
  throw new Error(`The module ${name} does not run: ${broken?.reason ?? 'it was not started'}. ${HINT}`)
}
