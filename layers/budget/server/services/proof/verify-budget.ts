import type { Ctx } from '@svc/kit'
import type { Proof } from '../../db/proof.ts'
import type { LogFacts } from '../../db/schema.ts'
import { compareWithBackup, type Fault } from './fault.ts'
import { findBreak } from '../log/find-break.ts'
import type { Break } from '../log/log-chain.ts'
import { logFacts } from '../log/log-facts.ts'
import { verifyContent, verifyErasure, verifySession } from './verify-content.ts'
import { verifyLink } from './link/verify-link.ts'
import { verifyMessages } from './verify-messages.ts'
import { verifySent, verifySuccessors } from './verify-sent.ts'
import { verifyFingerprint, verifySignedPdf } from './verify-signed-pdf.ts'
import { verifyWithdrawal } from './verify-withdrawal.ts'

/**
 * Verifies everything that proves one version: its log, the content that was sent and decided on, and the stored files.
 */
export const verifyBudget = (ctx: Ctx, proof: Proof): Promise<Fault[]> => unlessUnreadable(async () => {
  const { faults, facts } = await verifyRows(ctx, proof)
  return [...faults, ...await verifySignedPdf(ctx, proof, facts)]
})

/** Fast enough for a page: verifies only the rows about the signed PDF, not its bytes. */
export const verifyWithoutFiles = (ctx: Ctx, proof: Proof): Promise<Fault[]> => unlessUnreadable(async () => {
  const { faults, facts } = await verifyRows(ctx, proof)
  return [...faults, ...verifyFingerprint(proof, facts)]
})

/**
 * Unreadable rows, which the service never writes, must not stop the doctor from checking all others: each is a
 * finding.
 */
export async function unlessUnreadable(verify: () => Promise<Fault[]>): Promise<Fault[]> {
  try {
    return await verify()
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError)) throw error
    const message = `Its rows cannot be read: ${error.message}.`
    return [{ code: 'proof_unreadable', message, fix: compareWithBackup('them') }]
  }
}

interface Rows {
  faults: Fault[]
  /** The facts that the log proves; null if it is broken, because a broken log proves nothing. */
  facts: LogFacts | null
}

async function verifyRows(ctx: Ctx, proof: Proof): Promise<Rows> {
  const broken = findBreak(ctx, proof)
  const facts = broken ? null : logFacts(proof.checkpoint, proof.rows)
  const faults = [
    ...broken ? [toFault(broken)] : [], ...verifyErasure(ctx, proof),
    ...await verifySuccessors(ctx, proof, facts), ...verifySent(ctx, proof, facts),
    ...await verifyContent(ctx, proof, facts), ...verifySession(proof, facts),
    ...verifyWithdrawal(ctx, proof, facts), ...verifyMessages(ctx, proof), ...verifyLink(ctx, proof)
  ]
  return { faults, facts }
}

/** Verifies only the record of its decision. A broken log neither disproves nor proves it. */
export const verifyRecord = async (ctx: Ctx, proof: Proof): Promise<Fault[]> =>
  await verifyContent(ctx, proof, findBreak(ctx, proof) ? null : logFacts(proof.checkpoint, proof.rows))

const toFault = ({ seq, id, why }: Break): Fault => ({
  code: 'log_chain_broken',
  message: `Row ${seq} of the access log${id ? ` (${id})` : ''} ${why}.`,
  fix: compareWithBackup('the log')
})
