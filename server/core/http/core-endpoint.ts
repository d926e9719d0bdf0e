import { defineEndpoint, type Endpoint, type EndpointHandler, type Schema } from '@svc/kit'
import type { Host, Registry } from '../host.ts'

/** Additional rules for the core's own endpoints. */
export interface CoreRules {
  /** With `access: 'session'`: a clinic's token may call it too. */
  takes_clinic_token?: boolean
  /** A token with scope `metrics` may call it, in addition to what `access` allows. */
  takes_metrics_token?: boolean
  /** Also open to a person who must set up a second factor first. */
  before_factor?: boolean
  /** Its schemas with members of the running modules, instead of `body` and `response`. */
  schemas?: (registry: Registry) => { body?: Schema, response?: Schema }
}

type Handle<B, Q, R> = Endpoint<B, Q, R>['handle']
type CoreEndpoint<B, Q, R> = Omit<Endpoint<B, Q, R>, 'handle'> & CoreRules & {
  handle (input: Parameters<Handle<B, Q, R>>[0], host: Host): unknown
}

/**
 * `defineEndpoint` for a file below `server/api/v1/` of the core: its handler gets the host instead of a module's
 * context.
 */
export const defineCoreEndpoint = <
  B extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  R extends Schema | undefined = undefined
>(
  endpoint: CoreEndpoint<B, Q, R>
) => defineEndpoint(endpoint as unknown as Endpoint<B, Q, R>) as EndpointHandler<B, Q, R>
