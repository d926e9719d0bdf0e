import { isId, problem, type Command, type CommandResult, type Ctx } from '@svc/kit'
import { countProofs } from '../../db/proof.ts'
import { verifyBudgets, type Verified } from './verify-budgets.ts'
import { endRun, markRun, openRun, rangeOf, type Scope } from './verify-mark.ts'
import { readScope } from './verify-options.ts'

type Progress = Parameters<Command['run']>[1]['progress']

/** `svc budgets verify [id]`. */
export const verifyCommand: Command = {
  args: [{ name: 'id', description: 'Id or number of a budget, such as PRES-2026-0001; all without it' }],
  async run(ctx, { args, options, progress }): Promise<CommandResult> {
    const scope = readScope(options)
    if (args.id === undefined) return await verifyMany(ctx, { scope, restart: options.restart === true, progress })
    if (Object.values(options).some(value => value !== undefined)) throw problem('validation_failed', { detail: ALONE })
    return await verifyOne(ctx, args.id)
  }
}

const ALONE = 'An id or number takes no options: --since, --sample and --restart are for a run over many budgets.'

async function verifyOne(ctx: Ctx, id: string): Promise<CommandResult> {
  const verified = await verifyBudgets(ctx, { which: whichOf(id) })
  if (verified.budgets === 0) throw problem('not_found', { detail: `There is no budget "${id}".` })
  return toResult(verified)
}

/** After an interruption the next run with the same options goes on from the last mark. */
async function verifyMany(
  ctx: Ctx,
  { scope, restart, progress }: { scope: Scope, restart: boolean, progress: Progress }
): Promise<CommandResult> {
  const run = await openRun(ctx, { scope, restart })
  const before = { budgets: run.sum.budgets, started_at: run.started_at }
  const total = (await countProofs(ctx.db, rangeOf(run))) + before.budgets
  const verified = await verifyBudgets(ctx, {
    which: rangeOf(run),
    sum: run.sum,
    onBudget: sum =>
      progress(`${number(sum.budgets)} of ${number(total)} budgets, ${number(countFindings(sum))} findings`),
    onBatch: (after, sum) => markRun(ctx, { ...run, after, sum })
  })
  await endRun(ctx, run)
  return toResult(verified, before.budgets > 0 ? before : undefined)
}

/** A number names all versions, in every clinic that has it. */
function whichOf(text: string): { id: string } | { number: string } {
  if (isId(text)) return { id: text }
  if (/^PRES-\d{4}-\d{4,}$/i.test(text)) return { number: text.toUpperCase() }
  throw problem('not_found', { detail: `"${text}" is neither the id of a budget nor a number such as PRES-2026-0001.` })
}

/** How far the run was that this one continued. */
interface Before { budgets: number, started_at: string }

function toResult(verified: Verified, continued?: Before): CommandResult {
  const { findings, left_off, ...counts } = verified
  const ok = findings.length === 0
  const json = {
    ok, ...counts, findings: findings.map(finding => ({ ...finding })),
    ...left_off > 0 ? { findings_left_off: left_off } : {}, ...continued ? { continued: { ...continued } } : {}
  }
  return { ok, json, text: toText(verified, continued) }
}

function toText(verified: Verified, continued: Before | undefined): string {
  const { budgets, digests, log_rows, signed_pdfs, evidence_files, findings, left_off } = verified
  const held = evidence_files > 0 ? [many(evidence_files, 'held evidence file')] : []
  const parts = [many(digests, 'digest'), many(log_rows, 'log row'), many(signed_pdfs, 'signed PDF'), ...held]
  const note = continued
    ? ` The run that began at ${continued.started_at} was continued after ${many(continued.budgets, 'budget')}.`
    : ''
  const summary = `${many(budgets, 'budget')}: ${parts.join(', ')}.${note}`
  if (findings.length === 0) return `${summary} All hold.`
  return [
    `${summary} ${many(countFindings(verified), 'finding')}:`,
    ...findings.map(
      ({ object, budget_id, message, fix }) =>
        `  - ${object}${budget_id ? ` (${budget_id})` : ''}: ${message}\n      ${fix}`
    ),
    ...(left_off > 0 ? [`  and ${number(left_off)} more.`] : [])
  ].join('\n')
}

const countFindings = ({ findings, left_off }: Verified) => findings.length + left_off
const number = (n: number) => n.toLocaleString('en')
const many = (n: number, what: string) => `${number(n)} ${what}${n === 1 ? '' : 's'}`
