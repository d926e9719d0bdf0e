const Real = Date
let shift_ms = 0

const now = () => Real.now() + shift_ms
const Shifted = new Proxy(Real, {
  construct: (target, args: [], made) =>
    args.length === 0 ? new target(now()) : (Reflect.construct(target, args, made) as Date),
  apply: () => new Real(now()).toString(),
  get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown))
})

/**
 * From now on this process's clock is wrong by this much; 0 corrects it. The database's clock, timers and durations
 * don't change.
 */
export function shiftClock(ms: number): void {
  shift_ms = ms
  globalThis.Date = ms === 0 ? Real : Shifted
}
