import type { Mark } from './marks.ts'

/** A part of the document that is never split. */
export interface Block {
  height: number
  paint (y: number): Mark[]
  /** Stays on one page with the block after it. */
  glued?: boolean
  /** Drawn again at the top of a page that starts with this block. */
  head?: Block
  /** White space: left out at the top of a page. */
  space?: boolean
}

export interface Frame {
  /** Where the first block of a page starts. */
  top: (page: number) => number
  bottom: number
}

/**
 * Arranges blocks on pages from top to bottom. A run of glued blocks that is higher than a page is split between
 * blocks.
 */
export function paginate(blocks: Block[], frame: Frame): Mark[][] {
  const pages: Mark[][] = [[]]
  let y = frame.top(0)
  let fresh = true

  const breakPage = () => {
    pages.push([])
    y = frame.top(pages.length - 1)
    fresh = true
  }
  const paint = (block: Block) => {
    pages.at(-1)!.push(...block.paint(y))
    y += block.height
    fresh = false
  }

  for (const group of groups(blocks)) {
    const isSpace = group.every(({ space }) => space)
    if (!fresh && !isSpace && y + heightOf(group) > frame.bottom) breakPage()
    for (const block of group) {
      if (block.space && (fresh || y + block.height > frame.bottom)) continue
      if (!fresh && y + block.height > frame.bottom) breakPage()
      if (fresh && block.head && pages.length > 1) paint(block.head)
      paint(block)
    }
  }
  return pages
}

const heightOf = (blocks: Block[]): number => blocks.reduce((height, block) => height + block.height, 0)

function groups(blocks: Block[]): Block[][] {
  const result: Block[][] = []
  let open: Block[] = []
  for (const block of blocks) {
    open.push(block)
    if (block.glued) continue
    result.push(open)
    open = []
  }
  return open.length ? [...result, open] : result
}

export const gap = (height: number): Block => ({ height, space: true, glued: true, paint: () => [] })
