import {
  defineEndpoint, type Access, type Actor, type Endpoint, type EndpointHandler, type EndpointInput, type RequestOf,
  type Schema
} from '@svc/kit'
import type { Host, Registry } from '../host.ts'
import type { CoreRequest } from './types.ts'

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

/** Unlike in a module's endpoint, a caller with `access: 'session'` may have no clinic. */
type CoreRequestOf<A extends Access> = A extends 'session'
  ? CoreRequest
  : RequestOf<A> extends { actor: Actor } ? RequestOf<A> & CoreRequest : RequestOf<A>

type Raw = readonly string[] | undefined
type CoreEndpoint<B, Q, R, A extends Access, W extends Raw> = Omit<Endpoint<B, Q, R, A, W>, 'handle'> & CoreRules & {
  handle (input: Omit<EndpointInput<B, Q, A, W>, 'request'> & { request: CoreRequestOf<A> }, host: Host): unknown
}

/**
 * `defineEndpoint` for a file below `server/api/v1/` of the core: its handler gets the host instead of a module's
 * context.
 */
export const defineCoreEndpoint = <
  const A extends Access,
  B extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  R extends Schema | undefined = undefined,
  const W extends Raw = undefined
>(
  endpoint: CoreEndpoint<B, Q, R, A, W>
): EndpointHandler<B, Q, R, A> => defineEndpoint(endpoint as unknown as Endpoint<B, Q, R, A>)
