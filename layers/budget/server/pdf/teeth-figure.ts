import { punctuationOf } from '@svc/kit/locale'
import type { Drawing, Figure, Shape } from '@svc/sheet/sheet.ts'
import { areaSpans, drawDentition, type Dentition, type DrawnTooth } from '../../shared/domain/dentition.ts'
import { plannedByTooth } from '../../shared/domain/planned-teeth.ts'
import {
  isDeciduous,
  sortSurfaces,
  toothLabel,
  type Area,
  type Notation,
  type Place
} from '../../shared/domain/teeth.ts'
import type { Labels } from './labels.ts'

/** The parts of a line that the chart needs. */
type Line = Pick<Place, 'teeth' | 'surfaces' | 'area'> & { name: string }

interface Chart {
  lines: readonly Line[]
  notation: Notation
  /** Shows primary teeth even if none is treated. */
  deciduous: boolean
  labels: Labels['teeth']
  /** "Tooth" */ tooth: string
  locale: string
}

const INK = '#1f2933'
const SOFT = '#52606d'
const PALE = '#9aa5b1'
const ROOT = '#f4f1e8'
const WHITE = '#ffffff'

/**
 * The chart with the treated teeth marked, and the planned treatments tooth by tooth; null if no line names a tooth.
 */
export function teethFigure({ lines, notation, deciduous, labels, tooth, locale }: Chart): Figure | null {
  const planned = plannedByTooth(lines)
  const marked = new Set(planned.flatMap(({ tooth }) => tooth ?? []))
  if (marked.size === 0) return null
  const dentition = drawDentition({ deciduous: deciduous || [...marked].some(isDeciduous) })
  const areas = planned.flatMap(({ area }) => area ?? [])
  return {
    title: labels.chart,
    // The mark of direction is for screens.
    remark: `${labels.sides} ${labels.notation[notation].replaceAll('\u200F', '')}`,
    drawing: drawingOf(dentition, { marked, areas, notation }),
    list: planned.map(({ tooth: code, area, lines }) => [
      code ? `${tooth} ${toothLabel(code, notation)}` : labels.area[area!],
      [...new Set(lines.map(lineText))].join(punctuationOf(locale).semicolon)
    ])
  }
}

const lineText = ({ name, surfaces }: Line) =>
  surfaces.length > 0 ? `${name} (${sortSurfaces(surfaces).join('')})` : name

interface Marks { marked: ReadonlySet<string>, areas: readonly Area[], notation: Notation }

function drawingOf(dentition: Dentition, { marked, areas, notation }: Marks): Drawing {
  const { width, height, rows, midline } = dentition
  const teeth = rows.flat()
  const spans = areas.flatMap(area => areaSpans(area, dentition))
  return {
    width,
    height,
    shapes: [
      lineShape(`M${midline.x} ${midline.top}L${midline.x} ${midline.bottom}`, '#e8ecf0', 0.6),
      ...spans.map(({ upper, from, to }) => {
        const [inner, outer] = upper ? [2.2, 0.8] : [height - 2.2, height - 0.8]
        return lineShape(`M${from} ${inner}L${from} ${outer}L${to} ${outer}L${to} ${inner}`, INK, 1.2)
      }),
      ...teeth.flatMap(tooth => toothShapes(tooth, marked.has(tooth.code)))
    ],
    texts: teeth.map(({ code, label }) => ({
      text: toothLabel(code, notation),
      ...label,
      bold: marked.has(code),
      color: marked.has(code) ? WHITE : SOFT
    }))
  }
}

/** Works without colours: treated teeth are hatched, and their numbers are in dark boxes. */
function toothShapes({ root, crown, details, label }: DrawnTooth, isMarked: boolean): Shape[] {
  const look = isMarked ? { stroke: INK, width: 0.9, hatch: SOFT } : { stroke: PALE, width: 0.5 }
  return [
    { path: root, fill: ROOT, ...look },
    { path: crown, fill: WHITE, ...look },
    ...(details ? [lineShape(details, isMarked ? INK : PALE, 0.5)] : []),
    ...(isMarked ? [{ path: boxAround(label), fill: INK, stroke: INK, width: 1.5 }] : [])
  ]
}

const lineShape = (path: string, stroke: string, width: number): Shape => ({ path, fill: null, stroke, width })

/** The wide stroke rounds the corners. */
function boxAround({ x, y }: { x: number, y: number }): string {
  const [left, right, top, bottom] = [x - 3, x + 3, y - 1.9, y + 1.9]
  return `M${left} ${top}L${right} ${top}L${right} ${bottom}L${left} ${bottom}Z`
}
