export interface Reply {
  readonly svc_reply: true
  status?: number
  headers?: Record<string, string>
  cookies?: Cookie[]
  /** Sent as `{ data }`, with the members of `meta` beside it. */
  data?: unknown
  meta?: Record<string, unknown>
  /** Sent unchanged. */
  body?: Uint8Array | string
  /** Streamed as a CSV file while its rows are still being read. */
  csv?: Csv
}
/** The host writes the file (UTF-8, RFC 4180) and escapes texts that a spreadsheet would read as a formula. */
export interface Csv {
  /** The file's name without its extension: letters, digits and dashes. */
  name: string
  /** The first row, in the order of the cells. */
  columns: readonly string[]
  /**
   * Batches of rows. The host requests the next batch when the caller has read the last one, which can take long: hold
   * no database connection between batches. Ended (`return`) when the caller disconnects; never started for HEAD.
   */
  batches: AsyncIterable<(string | null)[][]>
}
export interface Cookie {
  name: string
  value: string
  path: string
  http_only?: boolean
  same_site: 'strict' | 'lax'
  /** Seconds; 0 removes the cookie. Without it the cookie lasts until the browser closes. */
  max_age?: number
}
/** Use this for any answer that isn't a plain 200 with `data`. */
export const reply = (answer: Omit<Reply, 'svc_reply'>): Reply => ({ svc_reply: true, ...answer })

/** A page of a list: `{ data: rows, total, page, page_size, …extra }`. */
export const page = (
  rows: unknown[],
  meta: { total: number, page: number, page_size: number, [extra: string]: unknown }
): Reply => reply({ data: rows, meta })
