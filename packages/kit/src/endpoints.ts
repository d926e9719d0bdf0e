import type { Ctx } from './context.ts'
import type { Access, ModuleRequest, RequestOf } from './requests.ts'

export interface Limit {
  /** Names the counter; unique in the module. */
  name: string
  points: number
  /** Window in seconds. */
  seconds: number
  /** The key that it counts by. */
  by: 'address' | 'address+param' | ((request: ModuleRequest) => string)
  /** With `address+param`: which path parameter. */
  param?: string
  /**
   * `requests` counts every call. `successes` counts answers below 400: each call is charged before it runs, and
   * refunded when it fails. `failures` counts calls that `request.countFailure()` marks; past the limit every call is
   * refused.
   */
  counts: 'requests' | 'successes' | 'failures'
}

/**
 * Any zod-compatible schema. The OpenAPI document shows the fields of zod's own schemas, and a query with `page_size`
 * in its `shape` means a paged list. `error` returns the message where the schema has none.
 */
export interface Schema<T = unknown> {
  safeParse (input: unknown, params?: { error: (issue: any) => string }):
    | { success: true, data: T }
    | { success: false, error: { issues: readonly { path: PropertyKey[], message: string }[] } }
}
/** What a schema returns. */
export type Out<S> = S extends { safeParse (input: unknown, ...rest: any[]): infer R }
  ? Extract<R, { success: true }> extends { data: infer T } ? T : never
  : undefined

/** A body that isn't parsed: its media type without parameters, in lower case, and its bytes as they came. */
export interface RawBody<Type extends string = string> { type: Type, bytes: Buffer }
/** The same, as it arrives. */
export interface StreamedBody<Type extends string = string> { type: Type, stream: AsyncIterable<Uint8Array> }

type Raw = readonly string[] | undefined
type Streamed = boolean | undefined
/** Where `raw_body` isn't known, the schema decides. */
type BodyOf<B, W extends Raw, S extends Streamed> = [Raw] extends [W]
  ? Out<B>
  : W extends readonly string[]
    ? S extends true ? StreamedBody<W[number]> : RawBody<W[number]>
    : Out<B>

/** The rules of one endpoint and its handler. Method and path come from the name of its file. */
export interface Endpoint<
  B = any, Q = any, R = any, A extends Access = Access, W extends Raw = Raw, S extends Streamed = Streamed
> {
  access: A
  /** Refuses every token (403), whatever its scopes, because the endpoint needs a signed-in person. */
  people_only?: boolean
  /**
   * Members of the answer that only the first answer contains. A replay by `Idempotency-Key` leaves them out and names
   * them. A nested member is written `invitation.url`.
   */
  shown_once?: string[]
  limit?: Limit | Limit[]
  /** One sentence for the OpenAPI document. */
  summary?: string
  query?: Q
  body?: B
  /** Largest body in bytes, default 1 MB. */
  max_body?: number
  /**
   * Content types of a body that isn't parsed, such as a file, or JSON whose bytes a provider signed
   * (`['application/json']`). `handle` gets a `RawBody` as `body`. Use it instead of `body`.
   */
  raw_body?: W
  /**
   * With `raw_body`: `handle` gets a `StreamedBody`, with the pieces as they arrive, so that a large file is never in
   * memory as a whole. With an `Idempotency-Key`, the whole body is read before `handle` runs.
   */
  stream_body?: S
  /**
   * The shape inside `data`; keys outside it never leave the server. Omit it for files and for 204. A GET without it
   * counts as a file: a browser that requests it without a session of the clinic is redirected to the sign-in page
   * (303).
   */
  response?: R
  /** Status of a success; default 200, or 204 when the handler returns undefined. */
  status?: number
  /**
   * Its other successful statuses, for the OpenAPI document: those below 300 have the same shape, those from 300 have
   * no body.
   */
  also?: Record<number, string>
  /** Problem codes that this endpoint can return besides the general ones, for the OpenAPI document. */
  problems?: string[]
  handle (input: EndpointInput<B, Q, A, W, S>, ctx: Ctx): unknown
}
/** An endpoint with `raw_body`: `RawEndpoint<'none'>` gets the bytes of JSON, as webhooks of providers need them. */
export type RawEndpoint<
  A extends Access = Access, W extends readonly string[] = ['application/json'], S extends Streamed = undefined
> = Endpoint<undefined, any, any, A, W, S>

/** What `handle` gets: query and body as the schemas return them, and the request as `access` leaves it. */
export interface EndpointInput<
  B, Q, A extends Access, W extends Raw = undefined, S extends Streamed = undefined
> {
  params: Record<string, string>
  query: Out<Q>
  body: BodyOf<B, W, S>
  request: RequestOf<A>
}
/** An h3 event handler with its rules attached. */
export interface EndpointHandler<B = any, Q = any, R = any, A extends Access = Access> {
  (event: any): any
  readonly __is_handler__: true
  readonly svc_endpoint: Endpoint<B, Q, R, A>
}

/**
 * The default export of a file below `server/api/v1/`, named by Nitro's rules: `budgets/[id]/send.post.ts` serves
 * `POST /api/v1/budgets/{id}/send`. Infers body and query of `handle` from the schemas, and its request from `access`.
 * The host also accepts a plain object of the same shape.
 */
export const defineEndpoint = <
  const A extends Access,
  B extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  R extends Schema | undefined = undefined,
  const W extends Raw = undefined,
  const S extends Streamed = undefined
>(endpoint: Endpoint<B, Q, R, A, W, S>): EndpointHandler<B, Q, R, A> =>
  // The marker that h3 looks for. The host adds itself to the context of each request.
  Object.assign((event: any) => event.context.svc_host.respond(event, endpoint), {
    __is_handler__: true as const,
    // The host reads its rules; that the body is raw matters to `handle` alone.
    svc_endpoint: endpoint as unknown as Endpoint<B, Q, R, A>
  })
