import { createHash } from 'node:crypto'
import { connect } from '../database.ts'

export const sql = connect()

/** What the product keeps of tokens and cookies. */
export const hashOf = (text: string) => createHash('sha256').update(text).digest()
