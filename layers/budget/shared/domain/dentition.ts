import { teethIn } from './planned-teeth.ts'
import { isDeciduous, isRight, isUpper, ROWS, type Area } from './teeth.ts'

/**
 * Our own drawing of the teeth, seen from the front: SVG on the screens, vectors in the PDF. Every tooth is generated
 * from a few measures of its kind, approximately in millimetres, and mirrored into its quadrant. Paths are absolute and
 * contain only M, C, L and Z.
 */
export interface DrawnTooth {
  code: string
  /** The root's path, drawn behind the crown. */
  root: string
  crown: string
  /** Fissures and other open lines. */
  details: string
  /** The middle of the tooth's column, and its clickable area. */
  x: number
  box: { x: number, y: number, width: number, height: number }
  /** The middle of the number. */
  label: { x: number, y: number }
}

export interface Dentition {
  width: number
  height: number
  /** In the order of `ROWS`, upper row first. */
  rows: DrawnTooth[][]
  /** Between the patient's right and left. */
  midline: { x: number, top: number, bottom: number }
}

/** Measures of one kind of tooth. */
interface Kind {
  /** Of the crown at its widest point, and at the gum. */
  width: number
  neck: number
  crown: number
  root: number
  /**
   * The biting edge from mesial (1) to distal (-1), in fractions of half the width, and the depth below the highest
   * cusp, as a fraction of the crown. Sharp points are cusps, the others are rounded.
   */
  edge: readonly (readonly [at: number, depth: number])[]
  /**
   * Tips of the roots from mesial to distal, in fractions of half the neck, and their lengths as fractions of `root`.
   */
  roots: readonly (readonly [at: number, length: number])[]
  /** Where the roots divide, as a fraction of `root`. */
  fork?: number
  /** Lines on the crown, from the edge towards the gum, in fractions. */
  lines?: readonly (readonly [at: number, from: number, to: number])[]
}

const CUTTING = [[0.86, 0.02], [0.3, 0], [-0.3, 0.02], [-0.84, 0.08]] as const
const POINTED = [[0.8, 0.22], [0.06, 0], [-0.82, 0.27]] as const
const BLUNT = [[0.8, 0.24], [0.04, 0], [-0.8, 0.26]] as const
const TWO_CUSPS = [[0.92, 0.16], [0.5, 0], [0.02, 0.15], [-0.48, 0.03], [-0.92, 0.2]] as const
const THREE_CUSPS = [
  [0.94, 0.16], [0.6, 0], [0.24, 0.14], [-0.08, 0.02], [-0.42, 0.15], [-0.68, 0.06], [-0.94, 0.22]
] as const
const ONE_ROOT = [[-0.12, 1]] as const

const incisor = (width: number, crown: number, root: number): Kind =>
  ({ width, neck: width * 0.72, crown, root, edge: CUTTING, roots: ONE_ROOT })
const canine = (width: number, crown: number, root: number): Kind =>
  ({ width, neck: width * 0.7, crown, root, edge: POINTED, roots: ONE_ROOT, lines: [[0.04, 0.16, 0.5]] })
const premolar = (width: number, crown: number, root: number): Kind => ({
  width,
  neck: width * 0.7,
  crown,
  root,
  edge: BLUNT,
  roots: ONE_ROOT,
  lines: [[0.42, 0.34, 0.52], [-0.42, 0.36, 0.54]]
})
const upperMolar = (width: number, root: number, spread = 0.95, crown = 7.4): Kind => ({
  width,
  neck: width * 0.8,
  crown,
  root,
  edge: TWO_CUSPS,
  roots: [[spread * 0.86, 0.94], [0.02, 1], [-spread, 0.9]],
  fork: 0.38,
  lines: [[0.02, 0.16, 0.55]]
})
const lowerMolar = (width: number, root: number, spread = 0.84, edge: Kind['edge'] = TWO_CUSPS, crown = 7.4): Kind => ({
  width,
  neck: width * 0.82,
  crown,
  root,
  edge,
  roots: [[spread * 0.84, 1], [-spread, 0.95]],
  fork: 0.3,
  lines: edge === THREE_CUSPS ? [[0.24, 0.16, 0.55], [-0.42, 0.17, 0.48]] : [[0.02, 0.16, 0.55]]
})

/** From the midline to the back of the mouth. */
const KINDS: Record<keyof typeof ROWS, Kind[]> = {
  upper: [
    incisor(8.2, 10, 12),
    incisor(6.5, 8.8, 12),
    canine(7.5, 9.8, 15.4),
    premolar(7, 8.4, 12.6),
    premolar(6.8, 8.2, 12.8),
    upperMolar(10, 12.2),
    upperMolar(9.5, 11.2, 0.72),
    upperMolar(8.5, 9.6, 0.46, 6.8)
  ],
  lower: [
    incisor(5.3, 8.8, 11.4),
    incisor(5.8, 9.2, 12.4),
    canine(6.9, 10.2, 14.4),
    premolar(6.9, 8.6, 12.8),
    premolar(7, 8.2, 13),
    lowerMolar(10.6, 12.6, 0.84, THREE_CUSPS),
    lowerMolar(10.1, 11.8, 0.7),
    lowerMolar(9.4, 9.8, 0.5, TWO_CUSPS, 7)
  ],
  upper_deciduous: [
    incisor(6.5, 5.8, 8.6),
    incisor(5.2, 5.6, 8.8),
    canine(6.4, 6.2, 10.4),
    upperMolar(7, 8.2, 1.2, 5.2),
    upperMolar(8.4, 8.8, 1.24, 5.6)
  ],
  lower_deciduous: [
    incisor(4.3, 5.2, 8),
    incisor(4.7, 5.4, 8.4),
    canine(5.6, 6.2, 9.6),
    lowerMolar(7.6, 8, 1.16, TWO_CUSPS, 5.6),
    lowerMolar(8.8, 8.6, 1.2, THREE_CUSPS, 5.6)
  ]
}

/** The width of a tooth's column, the same in both jaws, so that the teeth align. */
const COLUMNS = [8.8, 7.8, 8.4, 8.2, 8.2, 11, 10.6, 10]
const COLUMNS_DECIDUOUS = [8.8, 7.8, 8.4, 8.2, 9.6]
const MARGIN = 1
/** Space above and below, where areas are marked. */
const TOP = 3
const MIDDLE = 0.9
const NUMBER = 7
const GAP = 1.4
/** The longest tooth of a row. */
const HEIGHTS = Object.fromEntries(Object.entries(KINDS).map(([row, kinds]) =>
  [row, Math.ceil(Math.max(...kinds.map(({ crown, root }) => crown + root)))])) as Record<keyof typeof ROWS, number>

const HALF = MARGIN + MIDDLE + COLUMNS.reduce((sum, width) => sum + width, 0)

/** The whole drawing; deciduous teeth are between the rows of permanent ones. */
export function drawDentition({ deciduous }: { deciduous: boolean }): Dentition {
  const names = deciduous
    ? (['upper', 'upper_deciduous', 'lower_deciduous', 'lower'] as const)
    : (['upper', 'lower'] as const)
  let top = TOP
  const rows = names.map((name) => {
    const height = HEIGHTS[name] + NUMBER
    const row = ROWS[name].map(code => drawTooth(code, KINDS[name][Number(code[1]) - 1]!, { top, height }))
    top += height + GAP
    return row
  })
  const height = top - GAP + TOP
  return { width: 2 * HALF, height, rows, midline: { x: HALF, top: TOP, bottom: height - TOP } }
}

/** The horizontal range of an area's permanent teeth, per jaw. */
export function areaSpans(area: Area, { rows }: Dentition): { upper: boolean, from: number, to: number }[] {
  const codes = new Set(teethIn(area))
  return [true, false].flatMap((upper) => {
    const boxes = rows.flat().filter(({ code }) => codes.has(code) && isUpper(code) === upper).map(({ box }) => box)
    if (boxes.length === 0) return []
    return [{
      upper,
      from: Math.min(...boxes.map(({ x }) => x)),
      to: Math.max(...boxes.map(({ x, width }) => x + width))
    }]
  })
}

function drawTooth(code: string, kind: Kind, { top, height }: { top: number, height: number }): DrawnTooth {
  const columns = isDeciduous(code) ? COLUMNS_DECIDUOUS : COLUMNS
  const at = Number(code[1]) - 1
  const before = columns.slice(0, at).reduce((sum, width) => sum + width, MIDDLE)
  const width = columns[at]!
  const side = isRight(code) ? -1 : 1
  const x = HALF + side * (before + width / 2)
  const jaw = isUpper(code) ? -1 : 1
  const edge = isUpper(code) ? top + height - NUMBER : top + NUMBER
  const pen = penAt({ x, y: edge, mesial: -side, jaw })
  return {
    code,
    x: round(x),
    ...outline(kind, pen),
    box: { x: round(x - width / 2), y: round(top), width: round(width), height: round(height) },
    label: { x: round(x), y: round(isUpper(code) ? edge + NUMBER / 2 + 0.3 : edge - NUMBER / 2 - 0.3) }
  }
}

const round = (value: number) => Math.round(value * 100) / 100

interface Pen {
  move (x: number, y: number): string
  line (x: number, y: number): string
  curve (...points: [x: number, y: number, x2: number, y2: number, x3: number, y3: number]): string
}

/** Coordinates for one tooth: `x` towards the midline, `y` from the biting edge to the root. */
function penAt({ x: left, y: top, mesial, jaw }: { x: number, y: number, mesial: number, jaw: number }): Pen {
  const point = (x: number, y: number) => `${round(left + mesial * x)} ${round(top + jaw * y)}`
  return {
    move: (x, y) => `M${point(x, y)}`,
    line: (x, y) => `L${point(x, y)}`,
    curve: (x, y, x2, y2, x3, y3) => `C${point(x, y)} ${point(x2, y2)} ${point(x3, y3)}`
  }
}

const outline = (kind: Kind, pen: Pen) => ({
  root: rootOf(kind, pen),
  crown: crownOf(kind, pen),
  details: (kind.lines ?? []).map(([at, from, to]) => lineOf(kind, pen, at, from, to)).join('')
})

/**
 * The crown's path: from the gum on the mesial side over the widest point to the biting edge, along it, and back along
 * the gum.
 */
function crownOf({ width, neck, crown, edge }: Kind, pen: Pen): string {
  const half = width / 2
  const points = edge.map(([at, depth]) => ({ x: at * half, y: depth * crown }))
  const first = points[0]!
  const last = points.at(-1)!
  const along = points.slice(1).map((point, index) => {
    const before = points[index]!
    const reach = (point.x - before.x) * 0.42
    return pen.curve(before.x + reach, before.y, point.x - reach, point.y, point.x, point.y)
  })
  return [
    pen.move(neck / 2, crown),
    pen.curve(neck / 2 + 0.1 * half, crown * 0.72, half * 1.02, crown * 0.62, half, crown * 0.4),
    pen.curve(half * 0.99, crown * 0.22, half * 0.97, first.y, first.x, first.y),
    ...along,
    pen.curve(-half * 0.97, last.y, -half, crown * 0.26, -half, crown * 0.44),
    pen.curve(-half * 1.02, crown * 0.66, -neck / 2 - 0.1 * half, crown * 0.76, -neck / 2, crown),
    pen.curve(-neck * 0.26, crown * 1.12, neck * 0.26, crown * 1.12, neck / 2, crown),
    'Z'
  ].join('')
}

/** The root's path: down to each tip, and up to where the roots divide. */
function rootOf({ neck, crown, root, roots, fork = 0 }: Kind, pen: Pen): string {
  const half = neck / 2
  const start = crown * 0.94
  const parts = roots.map(([at, length], index) => {
    const tip = { x: at * half, y: crown + root * length }
    const blunt = Math.min(0.55, half / (roots.length * 2.2))
    const [before, after, end] = [tip.x + blunt, tip.x - blunt, tip.y - blunt]
    const isFirst = index === 0
    const isLast = index === roots.length - 1
    const inner = (step: number) => half * (1 - (2 * (index + step)) / roots.length)
    const from = { x: isFirst ? half : inner(0), y: isFirst ? start : crown + root * fork }
    const to = { x: isLast ? -half : inner(1), y: isLast ? start : crown + root * fork }
    const deep = (y: number, share: number) => y + (tip.y - y) * share
    return [
      pen.curve(from.x, deep(from.y, 0.45), tip.x + blunt * 2.2, deep(from.y, 0.72), before, end),
      pen.curve(tip.x + blunt * 0.7, tip.y + blunt * 0.35, tip.x - blunt * 0.7, tip.y + blunt * 0.35, after, end),
      pen.curve(tip.x - blunt * 2.2, deep(to.y, 0.72), to.x, deep(to.y, 0.45), to.x, to.y)
    ].join('')
  })
  return `${pen.move(half, start)}${parts.join('')}Z`
}

function lineOf({ width, crown }: Kind, pen: Pen, at: number, from: number, to: number): string {
  const x = at * width / 2
  const start = pen.move(x, crown * from)
  return start + pen.curve(x * 0.96, crown * (from + 0.12), x * 0.9, crown * (to - 0.1), x * 0.86, crown * to)
}
