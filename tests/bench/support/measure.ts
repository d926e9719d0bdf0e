/** One figure: `measured` against `baseline`, taken in turns on the same machine in the same run. */
export interface Figure {
  name: string
  /** What it is compared with, in words. */
  baseline: string
  /** Milliseconds, medians. */
  baseline_ms: number
  measured_ms: number
  ratio: number
  aim: string
  met: boolean
}

export interface Comparison { name: string, baseline: { name: string, run: () => Promise<unknown> }, run: () => Promise<unknown>, at_most: number, rounds?: number }

/** Takes both in turns, so that what disturbs the machine disturbs both, and compares the medians. */
export async function compare({ name, baseline, run, at_most, rounds = 60 }: Comparison): Promise<Figure> {
  const times = { baseline: [] as number[], measured: [] as number[] }
  for (let round = -5; round < rounds; round++) {
    const before = await took(baseline.run)
    const after = await took(run)
    if (round < 0) continue // warming up
    times.baseline.push(before)
    times.measured.push(after)
  }
  const [baseline_ms, measured_ms] = [median(times.baseline), median(times.measured)]
  const ratio = measured_ms / baseline_ms
  return { name, baseline: baseline.name, baseline_ms: rounded(baseline_ms), measured_ms: rounded(measured_ms), ratio: rounded(ratio), aim: `≤ ${at_most}`, met: ratio <= at_most }
}

async function took(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
const rounded = (value: number) => Math.round(value * 100) / 100
