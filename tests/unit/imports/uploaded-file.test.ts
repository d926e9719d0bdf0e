import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { storeUpload } from '../../../server/core/imports/file/uploaded-file.ts'
import { aDisk } from '../../support/disk.ts'

const LIMIT = 20_000_000
const undo: (() => void)[] = []
afterEach(() => {
  for (const step of undo.splice(0).reverse()) step()
})

function aStorage(): string {
  const storage = mkdtempSync(join(tmpdir(), 'svc-upload-'))
  undo.push(() => rmSync(storage, { recursive: true, force: true }))
  return storage
}

async function* inPieces(...pieces: Uint8Array[]) {
  yield* pieces
}
const letters = Buffer.from('Ana García,ana@x.example\n'.repeat(10_000))

describe('an uploaded file', () => {
  it('is read from its start each time, also after a reading that ended early', async () => {
    const file = await storeUpload(aStorage(), inPieces(letters.subarray(0, 7), letters.subarray(7)), LIMIT)
    for await (const piece of file.pieces()) {
      expect(letters.subarray(0, piece.length).equals(piece)).toBe(true)
      break
    }
    for (let time = 0; time < 2; time++)
      expect((await buffer(file.pieces())).equals(letters)).toBe(true)
    await file.close()
  })

  it('is in a folder that only this user can open, without a file name, and encrypted', async () => {
    const storage = aStorage()
    const file = await storeUpload(storage, inPieces(letters), LIMIT)
    const folder = join(storage, 'uploads')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(readdirSync(folder)).toEqual([])
    if (process.platform === 'linux') {
      const fd = readdirSync('/proc/self/fd').find(name => linkOf(name).startsWith(folder))!
      const stored = readFileSync(`/proc/self/fd/${fd}`)
      expect(stored).toHaveLength(letters.length)
      expect(stored.includes('Ana')).toBe(false)
      expect(statSync(`/proc/self/fd/${fd}`).mode & 0o777).toBe(0o600)
    }
    await file.close()
  })

  it('that does not fit on the disk is refused as storage_full and leaves no data', async () => {
    const storage = aStorage()
    const disk = aDisk(join(storage, 'uploads'), { megabytes: 1 })
    undo.push(() => disk.remove())
    disk.fill(process.pid)
    const refused = await storeUpload(storage, inPieces(letters), LIMIT).catch((error: unknown) => error)
    disk.free(process.pid)
    expect(refused).toMatchObject({ code: 'storage_full', fields: { retry_after: 30 } })
    await (await storeUpload(storage, inPieces(letters), LIMIT)).close()
  })

  it('that cannot be written for another reason is refused as storage_unavailable', async () => {
    const storage = aStorage()
    writeFileSync(join(storage, 'uploads'), '')
    await expect(storeUpload(storage, inPieces(letters), LIMIT)).rejects.toMatchObject({
      code: 'storage_unavailable', fields: { retry_after: 30 }, cause: { code: 'EEXIST' }
    })
  })
})

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return '' // closed in the meantime
  }
}
