import { isId, problem, type Command, type CommandResult, type Ctx, type Finding } from '@svc/kit'
import { proofs, type Proof } from '../db/proof.ts'
import { verifyBudget } from './verify-budget.ts'
import { isHeld } from './verify-content.ts'

export interface Verified {
  budgets: number
  /** Contents whose digest was computed again. */
  digests: number
  log_rows: number
  signed_pdfs: number
  /** Held for patients who were erased. */
  evidence_files: number
  findings: (Finding & { budget_id: string })[]
}

interface Options { which?: { id: string } | { number: string }, onBudget?: (sofar: Verified) => void }

/** Reading a file waits for a disk or an object store; more at once would only hold more files in memory. */
const AT_ONCE = 8

/** Every version that is asked for, all without `which`; however many they are, few are in memory. */
export async function verifyBudgets(ctx: Ctx, { which, onBudget }: Options = {}): Promise<Verified> {
  const sum: Verified = { budgets: 0, digests: 0, log_rows: 0, signed_pdfs: 0, evidence_files: 0, findings: [] }
  let waiting: Proof[] = []
  const settle = async () => {
    const found = await Promise.all(waiting.map(async proof => ({ proof, faults: await verifyBudget(ctx, proof) })))
    for (const { proof, faults } of found) count(sum, proof, faults)
    waiting = []
    onBudget?.(sum)
  }
  for await (const proof of proofs(ctx.db, which)) {
    if (waiting.push(proof) === AT_ONCE) await settle()
  }
  await settle()
  return sum
}

function count(sum: Verified, proof: Proof, faults: Awaited<ReturnType<typeof verifyBudget>>): void {
  const { budget, signature, rows } = proof
  sum.budgets += 1
  sum.digests += signature ? 1 : 0
  sum.log_rows += rows.length
  sum.signed_pdfs += budget.signed_pdf_status === 'ready' ? 1 : 0
  sum.evidence_files += isHeld(proof) ? 1 : 0
  sum.findings.push(...faults.map(({ code, message, fix }) => ({ code, object: `${budget.number} v${budget.version}`, message, fix, budget_id: budget.id })))
}

/** `svc budgets verify [id]`. */
export const verifyCommand: Command = {
  args: [{ name: 'id', description: 'Id or number of a budget, such as PRES-2026-0001; all without it' }],
  async run(ctx, { args, progress }): Promise<CommandResult> {
    const which = args.id === undefined ? undefined : whichOf(args.id)
    const verified = await verifyBudgets(ctx, { which, onBudget: ({ budgets, findings }) => progress(`${number(budgets)} budgets, ${number(findings.length)} findings`) })
    if (which && verified.budgets === 0) throw problem('not_found', { detail: `There is no budget "${args.id}".` })
    const ok = verified.findings.length === 0
    return { ok, json: { ok, ...verified, findings: verified.findings.map(finding => ({ ...finding })) }, text: toText(verified) }
  }
}

/** A number names all versions, in every clinic that has it. */
function whichOf(text: string): { id: string } | { number: string } {
  if (isId(text)) return { id: text }
  if (/^PRES-\d{4}-\d{4,}$/i.test(text)) return { number: text.toUpperCase() }
  throw problem('not_found', { detail: `"${text}" is neither the id of a budget nor a number such as PRES-2026-0001.` })
}

function toText({ findings, ...counts }: Verified): string {
  const { budgets, digests, log_rows, signed_pdfs, evidence_files } = counts
  const parts = [many(digests, 'digest'), many(log_rows, 'log row'), many(signed_pdfs, 'signed PDF'), ...evidence_files > 0 ? [many(evidence_files, 'held evidence file')] : []]
  const summary = `${many(budgets, 'budget')}: ${parts.join(', ')}.`
  if (findings.length === 0) return `${summary} All hold.`
  return [`${summary} ${many(findings.length, 'finding')}:`, ...findings.map(({ object, budget_id, message, fix }) => `  - ${object} (${budget_id}): ${message}\n      ${fix}`)].join('\n')
}

const number = (n: number) => n.toLocaleString('en')
const many = (n: number, what: string) => `${number(n)} ${what}${n === 1 ? '' : 's'}`
