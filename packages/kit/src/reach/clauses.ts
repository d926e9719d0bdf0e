import type { Ctx } from '../context.ts'
import type { Tx } from '../database.ts'
import type { ClausePlaces } from '../modules/index.ts'

/**
 * A condition that a module adds to the content of a document when the document is fixed, such as when it is sent. It
 * becomes part of what people agree to, and stays there after the module was removed.
 */
export interface Clause {
  /** `a-z0-9_-`, at most 50 characters; each once in a module's answer. */
  id: string
  /** One line of plain text, at most 200 characters. */
  title: string
  /** Plain text, at most 2,000 characters; line breaks are kept. */
  text: string
}

/** `module`: the name of the module that gave it. */
export interface ModuleClause extends Clause { module: string }

/** The arguments for a module. The owner of the document adds further members, which its documentation lists. */
export interface ClausesAt {
  /** The transaction that fixes the document. Read and write your own tables through it. */
  tx: Tx
  clinic_id: string
  /** The document's language, in which title and text must be. */
  locale: string
}

/**
 * Called once for each document, in the transaction that fixes it; for a preview too, whose transaction is rolled back.
 * `ctx.db` and `ctx.sql` are that transaction, too. Makes no outgoing call, and answers within two seconds. If it
 * throws, is late or answers anything but clauses, nothing is fixed and the caller gets `clauses_failed`.
 */
export type AskClauses<At = any> = (ctx: Ctx, at: At) => Clause[] | Promise<Clause[]>

/** Functions by document. */
export type ClausesFor = { [Place in keyof ClausePlaces]?: AskClauses<ClausePlaces[Place]> }
  & Record<string, AskClauses>
