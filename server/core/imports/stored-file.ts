import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { coreImportChunk } from '../db/schema.ts'
import type { Secrets } from '../secrets.ts'
import { piecesOf } from './file/encoding.ts'

const SIZE = 256 * 1024
const PURPOSE = 'import'

/** Binds a piece to its file and position, so that it cannot be moved. */
const label = (id: string, position: number) => Buffer.from(`${id}:${String(position).padStart(6, '0')}:`)

export async function storeFile(
  tx: Tx, secrets: Secrets, id: string, pieces: AsyncIterable<Uint8Array>
): Promise<void> {
  let position = 0
  for await (const some of gather(pieces)) {
    const sealed = secrets.seal(PURPOSE, Buffer.concat([label(id, position), ...some]))
    await tx.insert(coreImportChunk).values({ import_id: id, position, sealed })
    position++
  }
}

/** Several pieces at a time, of at least `SIZE` bytes but for the last ones. */
async function* gather(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  let [some, size] = [[] as Uint8Array[], 0]
  for await (const piece of pieces) {
    some.push(piece)
    size += piece.length
    if (size < SIZE) continue
    yield some
    ;[some, size] = [[], 0]
  }
  if (size > 0) yield some
}

/** The file as uploaded, in small pieces. Each stored piece is read when it is needed. */
export async function* readFile(db: Db, secrets: Secrets, id: string): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; position++) {
    const [row] = await db
      .select({ sealed: coreImportChunk.sealed })
      .from(coreImportChunk)
      .where(sql`${coreImportChunk.import_id} = ${id} and ${coreImportChunk.position} = ${position}`)
    if (!row) return
    const opened = Buffer.from(secrets.open(PURPOSE, row.sealed))
    const head = label(id, position)
    if (!opened.subarray(0, head.length).equals(head)) throw new Error(`a piece of the import ${id} is another's`)
    yield* piecesOf(opened.subarray(head.length))
  }
}

export async function dropFile(tx: Tx, id: string): Promise<void> {
  await tx.delete(coreImportChunk).where(eq(coreImportChunk.import_id, id))
}
