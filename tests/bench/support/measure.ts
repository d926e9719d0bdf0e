/** `smallest`: one round of a few, which shows that a row can run and measures nothing. */
export type Size = 'full' | 'smallest'
interface Sized { size: Size }

/** One figure: `measured` against `base`, measured alternately on the same machine in the same run. */
export interface Figure {
  name: string
  /** A description of the baseline. */
  baseline: string
  unit: string
  /** Medians. */
  base: number
  measured: number
  ratio: number
  aim: string
  met: boolean
}

export interface Side { name: string, run (): Promise<unknown> }
export interface Comparison extends Sized {
  name: string
  baseline: Side
  run (): Promise<unknown>
  /** After each round of both, outside the measured time. */
  after? (): Promise<void>
  at_most: number
  rounds?: number
  warm_up?: number
}

/**
 * Measures both alternately, so that a disturbance of the machine affects both. The figure is the ratio of the medians.
 */
export async function compare({
  name,
  baseline,
  run,
  after = async () => {},
  at_most,
  size,
  rounds = 60,
  warm_up = 5
}: Comparison): Promise<Figure> {
  const times = { base: [] as number[], measured: [] as number[] }
  const [first, end] = size === 'full' ? [-warm_up, rounds] : [0, 1]
  for (let round = first; round < end; round++) {
    const base = await took(baseline.run)
    await after()
    const measured = await took(run)
    await after()
    if (round < 0) continue
    times.base.push(base)
    times.measured.push(measured)
  }
  const [base, measured] = [median(times.base), median(times.measured)]
  return figure({ name, baseline: baseline.name, unit: 'ms', base, measured, at_most })
}

export interface Throughputs extends Sized {
  name: string
  baseline: { name: string, answers (): Promise<number> }
  answers (): Promise<number>
  at_least: number
  rounds?: number
}

/** Rounds before those that count, because Node keeps optimising under load for a quarter of a minute. */
export const WARM_UP = 3

/** Responses per second of both, measured alternately after both are warm. */
export async function compareThroughput({
  name,
  baseline,
  answers,
  at_least,
  size,
  rounds = 5
}: Throughputs): Promise<Figure> {
  const rates = { base: [] as number[], measured: [] as number[] }
  const [first, end] = size === 'full' ? [-WARM_UP, rounds] : [0, 1]
  for (let round = first; round < end; round++) {
    const base = await baseline.answers()
    const measured = await answers()
    if (round < 0) continue
    rates.base.push(base)
    rates.measured.push(measured)
  }
  return figure({
    name,
    baseline: baseline.name,
    unit: '/s',
    base: median(rates.base),
    measured: median(rates.measured),
    at_least
  })
}

type Compared = Pick<Figure, 'name' | 'baseline' | 'unit' | 'base' | 'measured'>
  & ({ at_most: number } | { at_least: number })

export function figure({ name, baseline, unit, base, measured, ...aim }: Compared): Figure {
  const ratio = measured / base
  const met = 'at_most' in aim ? ratio <= aim.at_most : ratio >= aim.at_least
  return {
    name,
    baseline,
    unit,
    base: rounded(base),
    measured: rounded(measured),
    ratio: rounded(ratio),
    aim: 'at_most' in aim ? `≤ ${aim.at_most}` : `≥ ${aim.at_least}`,
    met
  }
}

export async function took(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

export const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
const rounded = (value: number) => Math.round(value * 100) / 100
