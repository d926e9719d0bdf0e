import { problem, type Db, type Tx } from '@svc/kit'
import { NewClinic } from '../../../shared/clinic.ts'
import { coreClinic } from '../db/schema.ts'
import { validate } from '../http/validate.ts'

/** Throws `validation_failed` with pointers to what is wrong. */
export async function createClinic({ db }: { db: Db | Tx }, input: NewClinic): Promise<{ id: string }> {
  const values = validate(NewClinic, input) as NewClinic
  const [row] = await db.insert(coreClinic).values(values).returning({ id: coreClinic.id })
  if (!row) throw problem('internal_error')
  return row
}
