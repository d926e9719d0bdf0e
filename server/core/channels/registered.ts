import type { Channel, Ctx } from '@svc/kit'
import { CORE } from '../core-module.ts'
import type { Registry } from '../host.ts'
import { email } from './email.ts'

/** A channel, the module that registered it, and that module's context. */
export interface Registered { name: string, channel: Channel, owner: string, ctx: Ctx }

/** The host's own channel first, then those of the running modules. `ctx`: the caller's, for the host's own. */
export const registeredChannels = (registry: Registry, ctx: Ctx): Registered[] => [
  { name: 'email', channel: email, owner: CORE, ctx },
  ...registry.modules.flatMap(({ name: owner, definition, ctx: its }) =>
    Object.entries(definition.channels ?? {}).map(([name, channel]) => ({ name, channel, owner, ctx: its })))
]
