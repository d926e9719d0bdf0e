/** Everything is measured in points from the top left corner of the page. */
export const PAGE = { width: 595.28, height: 841.89, left: 51, right: 51, top: 42, bottom: 62 }
export const WIDTH = PAGE.width - PAGE.left - PAGE.right
export const RIGHT = PAGE.width - PAGE.right

/** The only five text sizes. */
export const SIZE = { title: 20, heading: 12.5, body: 9.5, small: 8, tiny: 7 } as const
export type Size = typeof SIZE[keyof typeof SIZE]
/** Distance between two baselines. */
export const leading = (size: Size): number => size * 1.38

export const COLOR = {
  ink: '#1f2933',
  soft: '#52606d',
  pale: '#7b8794',
  rule: '#d5dbe1',
  hair: '#e8ecf0',
  panel: '#f4f6f8'
} as const
/** The colour of the line below the letterhead if the clinic has chosen none. */
export const ACCENT = '#0f766e'

/** The base distance: all distances are multiples of it. */
export const STEP = 4

export type Face = 'regular' | 'bold' | 'script'
