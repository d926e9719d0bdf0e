/** The parts that the benchmarks use. The package has no types. */
declare module 'autocannon' {
  interface Request { method: string, path: string, headers: Record<string, string>, body?: string }
  interface Options {
    url: string
    connections: number
    duration?: number
    amount?: number
    timeout?: number
    requests: { setupRequest (request: Request): Request }[]
  }
  /** `errors` includes the timeouts. */
  interface Result { '2xx': number, 'non2xx': number, 'errors': number }
  interface Run extends Promise<Result> { on (event: 'response', listener: () => void): void }
  export default function autocannon(options: Options): Run
}
