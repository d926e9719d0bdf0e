export interface OutgoingRequest {
  /** Default `GET`. */
  method?: string
  /** The host sets `host`, `connection`, `content-length` and `transfer-encoding` itself. */
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** For the whole call, from the name's resolution to the last byte: at most 10,000, which is the default. */
  timeout_ms?: number
  /** Largest answer in bytes: at most 1,000,000, which is the default. */
  max_bytes?: number
}

export interface OutgoingAnswer {
  /** Any status: 404 and 500 are answers too. */
  status: number
  /** Lower-case names; repeated headers are joined with `, `. */
  headers: Record<string, string>
  bytes: Uint8Array
}

export interface Outgoing {
  /**
   * Calls another service. The manifest's `outgoing` names the hosts. Addresses follow the rules of webhooks: https and
   * public, unless the operator allows others. The name is resolved once, and only these addresses are connected to.
   * Redirects are followed within the URL's origin, at most three.
   *
   * Throws `outgoing_refused` for a call that is not allowed (`reason`: `host`, `guard`, `not_https` or
   * `private_address`), and `outgoing_failed` if there is no usable answer (`reason`: `unresolved`, `no_answer`,
   * `timeout`, `too_large` or `redirected`). After `no_answer` and `timeout` the other side may still have done its
   * part.
   */
  fetch (url: string, request?: OutgoingRequest): Promise<OutgoingAnswer>
}
