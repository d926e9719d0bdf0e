import { loadavg } from 'node:os'
import { readTable, writeResults, writeTable } from './results.ts'
import { rows } from './rows/index.ts'
import { aBenchInstance } from './support/instance.ts'

/**
 * `npm run bench`, or `npm run bench -- <row> …`: every figure is a ratio to a baseline of the same run. A row replaces
 * its earlier results in `results/latest.{json,md}`. It exits with 1 when a target is missed. `--table` measures
 * nothing and only marks again which rows are stale.
 */
const say = (line: string) => process.stderr.write(`${line}\n`)
const words = process.argv.slice(2)
const wanted = words.filter(word => word !== '--table')
const unknown = wanted.filter(name => !(name in rows))
if (unknown.length > 0) {
  say(`There is no row ${unknown.join(', ')}; there are ${Object.keys(rows).join(', ')}.`)
  process.exit(2)
}

if (words.includes('--table')) {
  writeTable()
  process.stdout.write(readTable())
  process.exit()
}

const instance = await aBenchInstance(say)
try {
  for (const name of wanted.length > 0 ? wanted : Object.keys(rows)) {
    say(`— ${name}`)
    const load = loadavg()[0]!
    const figures = await rows[name]!(instance, say)
    writeResults(name, { load, figures })
    for (const { name, base, measured, unit, ratio, aim, met } of figures)
      say(`${name}: ${base} → ${measured} ${unit}, ${ratio} (${aim})${met ? '' : ' MISSED'}`)
    if (figures.some(({ met }) => !met)) process.exitCode = 1
  }
  process.stdout.write(readTable())
} finally {
  await instance.close()
}
