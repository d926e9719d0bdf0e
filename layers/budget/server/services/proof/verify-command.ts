import { isId, problem, type Command, type CommandResult, type Ctx } from '@svc/kit'
import { countProofs, listEnds, type Range } from '../../db/proof.ts'
import { addUp, verifyBudgets, type Verified } from './verify-budgets.ts'
import { endRun, markRun, openRun, rangeOf, type Run, type Scope } from './verify-mark.ts'
import { readScope } from './verify-options.ts'

type Input = Parameters<Command['run']>[1]
interface Many extends Pick<Input, 'progress' | 'runPart'> { scope: Scope, restart: boolean }

/** Budgets per part. An interrupted run loses at most as many. */
const PART = 200
/** A smaller number is done before threads have started. */
const WORTH_THREADS = 2000
/** Parts that are running or waiting for a thread. */
const AHEAD = 16

/** `svc budgets verify [id]`. */
export const verifyCommand: Command = {
  args: [{ name: 'id', description: 'Id or number of a budget, such as PRES-2026-0001; all without it' }],
  async run(ctx, { args, options, progress, runPart }): Promise<CommandResult> {
    const scope = readScope(options)
    const restart = options.restart === true
    if (args.id === undefined) return await verifyMany(ctx, { scope, restart, progress, runPart })
    if (Object.values(options).some(value => value !== undefined)) throw problem('validation_failed', { detail: ALONE })
    return await verifyOne(ctx, args.id)
  },
  part: async (ctx, range: Range) => await verifyBudgets(ctx, range)
}

const ALONE = 'An id or number takes no options: --since, --sample and --restart are for a run over many budgets.'

async function verifyOne(ctx: Ctx, id: string): Promise<CommandResult> {
  const verified = await verifyBudgets(ctx, whichOf(id))
  if (verified.budgets === 0) throw problem('not_found', { detail: `There is no budget "${id}".` })
  return toResult(verified)
}

/** After an interruption, the next run with the same options continues from the last mark. */
async function verifyMany(ctx: Ctx, { scope, restart, progress, runPart }: Many): Promise<CommandResult> {
  const run = await openRun(ctx, { scope, restart })
  const before = { budgets: run.sum.budgets, started_at: run.started_at }
  const left = await countProofs(ctx.db, rangeOf(run))
  const verify = left < WORTH_THREADS ? (range: Range) => verifyBudgets(ctx, range) : runPart<Verified>
  for await (const { range, verified } of verifyInOrder(await listParts(ctx, run), verify)) {
    run.sum = addUp(run.sum, verified)
    const sofar = `${number(run.sum.budgets)} of ${number(before.budgets + left)} budgets`
    progress(`${sofar}, ${number(countFindings(run.sum))} findings`)
    run.after = range.upto ?? run.after
    if (range.upto !== undefined) await markRun(ctx, run)
  }
  await endRun(ctx, run)
  return toResult(run.sum, before.budgets > 0 ? before : undefined)
}

/** The last part has no end, so that it includes budgets written meanwhile. */
async function listParts(ctx: Ctx, run: Run): Promise<Range[]> {
  const range = rangeOf(run)
  const ends = await listEnds(ctx.db, range, PART)
  return [...ends, undefined].map((upto, index) => ({
    ...range,
    after: ends[index - 1] ?? run.after,
    ...upto === undefined ? {} : { upto }
  }))
}

async function* verifyInOrder(
  ranges: Range[],
  verify: (range: Range) => Promise<Verified>
): AsyncGenerator<{ range: Range, verified: Verified }> {
  const running: { range: Range, verified: Promise<Verified> }[] = []
  for (const range of ranges) {
    const verified = verify(range)
    verified.catch(() => {}) // thrown where it is awaited; after a failure nothing awaits the others
    running.push({ range, verified })
    if (running.length === AHEAD) yield await settle(running.shift()!)
  }
  for (const part of running) yield await settle(part)
}

const settle = async ({ range, verified }: { range: Range, verified: Promise<Verified> }) =>
  ({ range, verified: await verified })

/** A number means all its versions, in every clinic that has it. */
function whichOf(text: string): { id: string } | { number: string } {
  if (isId(text)) return { id: text }
  if (/^PRES-\d{4}-\d{4,}$/i.test(text)) return { number: text.toUpperCase() }
  throw problem('not_found', { detail: `"${text}" is neither the id of a budget nor a number such as PRES-2026-0001.` })
}

/** The progress of the run that this one continues. */
interface EarlierRun { budgets: number, started_at: string }

function toResult(verified: Verified, continued?: EarlierRun): CommandResult {
  const { findings, left_off, ...counts } = verified
  const ok = findings.length === 0
  const json = {
    ok, ...counts, findings: findings.map(finding => ({ ...finding })),
    ...left_off > 0 ? { findings_left_off: left_off } : {}, ...continued ? { continued: { ...continued } } : {}
  }
  return { ok, json, text: toText(verified, continued) }
}

function toText(verified: Verified, continued: EarlierRun | undefined): string {
  const { budgets, digests, log_rows, signed_pdfs, evidence_files, findings, left_off } = verified
  const held = evidence_files > 0 ? [counted(evidence_files, 'held evidence file')] : []
  const parts = [counted(digests, 'digest'), counted(log_rows, 'log row'), counted(signed_pdfs, 'signed PDF'), ...held]
  const note = continued
    ? ` The run that began at ${continued.started_at} was continued after ${counted(continued.budgets, 'budget')}.`
    : ''
  const summary = `${counted(budgets, 'budget')}: ${parts.join(', ')}.${note}`
  if (findings.length === 0) return `${summary} All hold.`
  return [
    `${summary} ${counted(countFindings(verified), 'finding')}:`,
    ...findings.map(
      ({ object, budget_id, message, fix }) =>
        `  - ${object}${budget_id ? ` (${budget_id})` : ''}: ${message}\n      ${fix}`
    ),
    ...(left_off > 0 ? [`  and ${number(left_off)} more.`] : [])
  ].join('\n')
}

const countFindings = ({ findings, left_off }: Verified) => findings.length + left_off
const number = (n: number) => n.toLocaleString('en')
const counted = (n: number, what: string) => `${number(n)} ${what}${n === 1 ? '' : 's'}`
