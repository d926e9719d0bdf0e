import { beforeEach, describe, expect, test } from 'vitest'
import { useApi, useEdit } from '#imports'
import { answers, forgetSession, later } from '../support/api.ts'
import { using } from '../support/screen.ts'

interface Patient { first_name: string, phone: string, version: number }
const PATH = '/api/v1/clinical/patients/7'
const ana: Patient = { first_name: 'Ana', phone: '600 100 200', version: 1 }

async function anEdit() {
  const edit = await using(() => {
    const { get, patch } = useApi()
    return useEdit<Patient>(() => get(PATH), (body, if_match) => patch(PATH, { body, if_match }))
  })
  await expect.poll(() => edit.stored.value).not.toBeNull()
  return edit
}
const stored = (data: Patient) => ({ data, headers: { etag: `"${data.version}"` } })

beforeEach(forgetSession)

describe('saving a form', () => {
  beforeEach(() => void answers('GET', PATH, stored(ana)))

  test('sends only the changed fields, with the version that was read', async () => {
    const asked = answers('PATCH', PATH, stored({ ...ana, phone: '600 999 999', version: 2 }))
    const { save, stored: saved } = await anEdit()
    await save({ first_name: 'Ana', phone: '600 999 999' })
    expect(asked.map(({ body, headers }) => [body, headers['if-match']])).toEqual([[{ phone: '600 999 999' }, '"1"']])
    expect(saved.value!.data.phone).toBe('600 999 999')
  })

  test('sends no request when nothing was changed, and counts as done', async () => {
    const asked = answers('PATCH', PATH, stored(ana))
    const { save, turn } = await anEdit()
    expect(await save({ ...ana })).toEqual(ana)
    expect([asked.length, turn.value]).toEqual([0, 1])
  })

  test('runs once, however often the button is pressed', async () => {
    const answer = later()
    const asked = answers('PATCH', PATH, async () => {
      await answer.promise
      return stored({ ...ana, first_name: 'Anna', version: 2 })
    })
    const { save, saving } = await anEdit()
    const first = save({ first_name: 'Anna' })
    expect(saving.value).toBe(true)
    expect(await save({ first_name: 'Anna' })).toBeNull()
    answer.resolve()
    await first
    expect([asked.length, saving.value]).toEqual([1, false])
  })

  test('keeps the input when the server refuses it, and shows the reason until it is dismissed', async () => {
    answers('PATCH', PATH, { status: 422, code: 'validation_failed' })
    const { save, error, turn, forget } = await anEdit()
    expect(await save({ phone: '?' })).toBeNull()
    expect([error.value!.code, turn.value]).toEqual(['validation_failed', 0])
    forget()
    expect(error.value).toBeNull()
  })
})

describe('a conflict with changes of another person', () => {
  const theirs: Patient = { first_name: 'Ana María', phone: '600 100 200', version: 2 }
  let now = ana
  beforeEach(() => {
    now = ana
    answers('GET', PATH, () => stored(now))
    answers('PATCH', PATH, ({ body, headers }) => {
      if (headers['if-match'] !== `"${now.version}"`) return { status: 412, code: 'precondition_failed' }
      now = { ...now, ...body, version: now.version + 1 }
      return stored(now)
    })
  })

  async function aConflict(change: Partial<Patient>) {
    const edit = await anEdit()
    now = theirs
    await edit.save(change)
    return edit
  }

  test('lists what they changed beside what was typed, without an error message', async () => {
    const { conflicts, error, turn } = await aConflict({ first_name: 'Anna' })
    expect(conflicts.value).toEqual([{ key: 'first_name', theirs: 'Ana María', mine: { value: 'Anna' } }])
    expect([error.value, turn.value]).toEqual([null, 0])
  })

  test.each([
    ['both', { first_name: 'Ana María', phone: '600 111 111' }, { first_name: 'Ana', phone: '600 999 999' }],
    ['one', { first_name: 'Ana María', phone: '600 100 200' }, { phone: '600 999 999' }]
  ])('includes all fields of a group when they changed %s of them', async (_, latest, sent) => {
    const edit = await using(() => {
      const { get, patch } = useApi()
      return useEdit<Patient>(
        () => get(PATH),
        (body, if_match) => patch(PATH, { body, if_match }),
        { together: ['first_name', 'phone'] }
      )
    })
    await expect.poll(() => edit.stored.value).not.toBeNull()
    now = { ...latest, version: 2 }
    const mine = { first_name: 'Ana', phone: '600 999 999' }
    await edit.save(mine)
    expect(edit.conflicts.value!.filter(({ mine }) => mine !== null).map(({ key }) => key))
      .toEqual(Object.keys(sent).filter(key => latest[key as keyof typeof latest] !== ana[key as keyof Patient]))
    await edit.save(mine)
    expect(now).toEqual({ ...latest, ...sent, version: 3 })
  })

  test('shows their value in a field that was not edited', async () => {
    const { conflicts } = await aConflict({ phone: '600 999 999' })
    expect(conflicts.value).toEqual([{ key: 'first_name', theirs: 'Ana María', mine: null }])
  })

  test('is solved by saving again, which replaces their values with the typed ones and keeps all others', async () => {
    const { save, conflicts } = await aConflict({ phone: '600 999 999' })
    await save({ phone: '600 999 999' })
    expect(now).toEqual({ first_name: 'Ana María', phone: '600 999 999', version: 3 })
    expect(conflicts.value).toBeNull()
  })

  test('is solved by their values, which begin a new form', async () => {
    const { takeTheirs, conflicts, turn, stored: shown } = await aConflict({ first_name: 'Anna' })
    takeTheirs()
    expect([shown.value!.data, conflicts.value, turn.value]).toEqual([theirs, null, 1])
  })
})
