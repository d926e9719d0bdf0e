import { describe, expect, test } from 'vitest'
import type { Mark } from '@svc/sheet/layout/marks.ts'
import { gap, paginate, type Block } from '@svc/sheet/layout/paginate.ts'

const frame = { top: () => 0, bottom: 100 }

function block(color: string, height: number, fields: Partial<Block> = {}): Block {
  return { height, paint: y => [{ kind: 'box', x: 0, y, width: 1, height, color }], ...fields }
}

const shown = (pages: Mark[][]) =>
  pages.map(marks => marks.map(mark => (mark.kind === 'box' ? `${mark.color}@${mark.y}` : '')))

describe('the distribution of blocks over pages', () => {
  test('moves a block that does not fit to a new page and never cuts it', () => {
    expect(shown(paginate([block('a', 60), block('b', 41), block('c', 40)], frame))).toEqual([['a@0'], ['b@0', 'c@41']])
  })

  test('moves connected blocks to the next page together', () => {
    expect(shown(paginate([block('a', 50), block('b', 40, { glued: true }), block('c', 20)], frame))).toEqual([
      ['a@0'],
      ['b@0', 'c@40']
    ])
  })

  test('repeats the heading of a table on a page that begins inside it', () => {
    const head = block('head', 10)
    const row = (name: string) => block(name, 30, { head })
    expect(shown(paginate([{ ...head, glued: true }, row('a'), row('b'), row('c'), row('d')], frame)))
      .toEqual([['head@0', 'a@10', 'b@40', 'c@70'], ['head@0', 'd@10']])
  })

  test('omits white space at the top of a page', () => {
    expect(shown(paginate([block('a', 95), gap(10), block('b', 20)], frame))).toEqual([['a@0'], ['b@0']])
    expect(shown(paginate([gap(10), block('a', 5), gap(10), block('b', 20)], frame))).toEqual([['a@0', 'b@15']])
  })

  test('adds no page for white space at the end', () => {
    expect(shown(paginate([block('a', 95), gap(10)], frame))).toEqual([['a@0']])
  })

  test('splits connected blocks between two of them when they are higher than a page', () => {
    expect(
      shown(paginate([block('a', 60, { glued: true }), block('b', 60, { glued: true }), block('c', 10)], frame))
    ).toEqual([['a@0'], ['b@0', 'c@60']])
  })
})
