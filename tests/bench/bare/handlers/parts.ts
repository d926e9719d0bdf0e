import { createHmac, createHash, createSecretKey, hkdfSync } from 'node:crypto'
import { connect } from '../database.ts'

export const sql = connect()

const derived = hkdfSync('sha256', process.env.SVC_SECRET!, 'dental-budget-service', 'mac:budget.look-up', 32)
const key = createSecretKey(Buffer.from(derived))

/** The form in which the product stores tokens and cookies. */
export const hashOf = (text: string) =>
  createHmac('sha256', key).update(createHash('sha256').update(text).digest()).digest()
