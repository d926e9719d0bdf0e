import { problem } from '@svc/kit'
import type { Host } from '../host.ts'
import { AddressError, findTarget } from './address.ts'

/** Throws `validation_failed` for a URL to which nothing would be sent. It is checked again with each attempt. */
export async function checkUrl({ config }: Pick<Host, 'config'>, url: string): Promise<void> {
  try {
    await findTarget(url, { allow_private: config.webhook_allow_private })
  } catch (error) {
    if (error instanceof AddressError)
      throw problem('validation_failed', { errors: [{ pointer: '/url', message: error.message }] })
    throw error
  }
}

/**
 * An event is named after the module that publishes it: one of a module that is not installed is a typing error.
 * A module's README lists its events; there is no list to check the rest of the name against.
 */
export function checkEvents({ registry }: Pick<Host, 'registry'>, names: readonly string[]): void {
  const modules = new Set([...registry.modules, ...registry.broken].map(module => module.name))
  const errors = names.flatMap((name, at) => name === '*' || modules.has(name.split('.')[0]!)
    ? []
    : [{ pointer: `/events/${at}`, message: `No installed module publishes ${name}.` }])
  if (errors.length > 0) throw problem('validation_failed', { errors })
}
