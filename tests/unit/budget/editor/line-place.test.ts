import { expect, test } from 'vitest'
import { countOnce, isCounted, setTeeth } from '../../../../layers/budget/app/utils/line-place.ts'

type Line = Parameters<typeof setTeeth>[0]
const aLine = (counts: Line['counts']): Line =>
  ({ teeth: [], quantity: '1', counts, counted: false, area: null, surfaces: '' })
const BRIDGE = ['15', '16', '17']

test.each([
  ['tooth', '3'], ['piece', '1'], ['once', '1'], [null, '3']
] as const)('three teeth of a treatment that counts %s have the quantity %s', (counts, quantity) => {
  const line = aLine(counts)
  setTeeth(line, BRIDGE)
  expect(line).toMatchObject({ teeth: BRIDGE, quantity })
  expect(isCounted(line)).toBe(quantity === '3')
})

test('a typed quantity stays, whatever the treatment counts', () => {
  const line = { ...aLine('tooth'), quantity: '2' }
  setTeeth(line, BRIDGE)
  expect(line.quantity).toBe('2')
  expect(isCounted(line)).toBe(false)
})

test('a line that was set to count once no longer follows its teeth', () => {
  const line = aLine('tooth')
  setTeeth(line, BRIDGE)
  countOnce(line)
  expect([line.quantity, isCounted(line)]).toEqual(['1', false])
  setTeeth(line, ['16'])
  setTeeth(line, BRIDGE)
  expect(line.quantity).toBe('1')
})
