import { chmodSync, mkdtempSync, readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFiles } from '../../../server/core/files/index.ts'
import { allOf } from '../../support/all-of.ts'

const aStore = () => {
  const storage = mkdtempSync(path.join(tmpdir(), 'svc-files-'))
  return { storage, files: createFiles({ storage, object_store: null }) }
}
const bytes = (text: string) => Buffer.from(text)

describe('a document in the folder', () => {
  it('is written once: the same bytes are accepted again, other bytes are refused', async () => {
    const { files } = aStore()
    await files.writeOnce('signed/a.pdf', bytes('one'))
    await files.writeOnce('signed/a.pdf', bytes('one'))
    await expect(files.writeOnce('signed/a.pdf', bytes('two'))).rejects.toMatchObject({ code: 'EEXIST' })
    expect(Buffer.from(await files.read('signed/a.pdf')).toString()).toBe('one')
  })

  it('has the complete bytes of one writer when twenty write at once', async () => {
    const { files, storage } = aStore()
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => files.writeOnce('a.pdf', bytes(`copy ${index}`)))
    )
    expect(results.filter(result => result.status === 'fulfilled')).toHaveLength(1)
    expect(readdirSync(path.join(storage, 'documents'))).toEqual(['a.pdf'])
  })

  it('that cannot be written leaves no files behind', async () => {
    const { files, storage } = aStore()
    // This fails in the middle of the write, as on a full disk.
    await expect(files.writeOnce('a.pdf', 5 as never)).rejects.toThrow('must be')
    expect(readdirSync(path.join(storage, 'documents'))).toEqual([])
  })

  it('is readable by the service\'s user only, and the mode of the storage folder is not changed', async () => {
    const { files, storage } = aStore()
    chmodSync(storage, 0o755)
    await files.writeOnce('budget/2026/a.pdf', bytes('one'))
    const modes = ['', 'documents', 'documents/budget', 'documents/budget/2026', 'documents/budget/2026/a.pdf'].map(
      name => statSync(path.join(storage, name)).mode & 0o777
    )
    expect(modes).toEqual([0o755, 0o700, 0o700, 0o700, 0o600])
  })

  it('is listed by its name below a folder', async () => {
    const { files } = aStore()
    expect(await allOf(files.list(''))).toEqual([])
    for (const key of ['a/b/one.pdf', 'a/two.pdf', 'c.pdf']) await files.writeOnce(key, bytes(key))
    expect((await allOf(files.list(''))).flat().sort()).toEqual(['a', 'c.pdf'])
    expect((await allOf(files.list('a'))).flat().sort()).toEqual(['b', 'two.pdf'])
    await expect(allOf(files.list('../'))).rejects.toThrow(RangeError)
  })

  it('that is missing answers ENOENT', async () => {
    await expect(aStore().files.read('none.pdf')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it.each([
    '../secret', '/etc/passwd', 'a//b', 'A.pdf', '', 'a/../b', '.hidden'
  ])('cannot have a key like %j', async (key) => {
    const { files } = aStore()
    await expect(async () => files.writeOnce(key, bytes('x'))).rejects.toThrow(RangeError)
    await expect(async () => files.read(key)).rejects.toThrow(RangeError)
  })
})
