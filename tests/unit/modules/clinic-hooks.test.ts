import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ClinicVeto, Tx } from '@svc/kit'
import { vetoesOf } from '../../../server/core/settings/clinic-hooks.ts'

function asking(...hooks: (() => Promise<ClinicVeto[]>)[]) {
  const modules = hooks.map(before_clinic_change => ({ definition: { hooks: { before_clinic_change } } }))
  return vetoesOf({ registry: { modules } } as never, { id: 'a', change: {}, tx: {} as Tx })
}
const veto = (field: string): ClinicVeto => ({ field, reason: 'Not now.' })

test('vetoes are in the order of their modules', async () => {
  const vetoes = await asking(async () => {
    await turn()
    return [veto('a')]
  }, () => Promise.resolve([veto('b'), veto('c')]))
  expect(vetoes.map(({ field }) => field)).toEqual(['a', 'b', 'c'])
})

test('after a module has thrown, no other module uses the transaction', async () => {
  let isRunning = false
  const asked = asking(
    () => Promise.reject(new Error('boom')),
    async () => {
      isRunning = true
      await turn()
      return []
    }
  )
  await expect(asked).rejects.toThrow('boom')
  expect(isRunning).toBe(false)
})
