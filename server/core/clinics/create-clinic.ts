import { problem, type Db, type Tx } from '@svc/kit'
import { NewClinic } from '../../../shared/clinic.ts'
import { startChain } from '../audit/start-chain.ts'
import type { SealingSecrets } from '../people/seals/row-seals.ts'
import { coreClinic } from '../db/schema.ts'
import { validate } from '../http/validate.ts'

interface Parts { db: Db | Tx, secrets: SealingSecrets }

/** Throws `validation_failed` with pointers to the invalid fields. */
export async function createClinic({ db, secrets }: Parts, input: NewClinic): Promise<{ id: string }> {
  const values = validate(NewClinic, input) as NewClinic
  return await db.transaction(async (tx) => {
    const [row] = await tx.insert(coreClinic).values(values).returning({ id: coreClinic.id })
    if (!row) throw problem('internal_error')
    await startChain(tx, secrets, row.id)
    return row
  })
}
