import type { Plugin } from '@pdfme/common'
import type { PDFOperator } from '@pdfme/pdf-lib'
import type { Shape } from '../sheet.ts'
import { corner, plugin, rgbOf, type Props } from './plugins.ts'

const HATCH = { every: 3, width: 0.6 }

/**
 * Draws paths as an artifact, which screen readers skip (ISO 32000-1, 14.8.2.2), because the figure has a list as text.
 */
export const drawing: Plugin = plugin('drawing', (props) => {
  const { page, pdfLib, schema } = props
  const { x, y } = corner(props)
  const { PDFOperator: Operator, PDFOperatorNames: Names } = pdfLib
  const place = { x, y, scale: schema.scale as number }
  page.pushOperators(
    Operator.of(Names.BeginMarkedContent, [pdfLib.PDFName.of('Artifact')]),
    ...(schema.shapes as Shape[]).flatMap(shape => shapeIn(props, place, shape)),
    Operator.of(Names.EndMarkedContent)
  )
})

/** The drawing's top left corner on the page, and the points per unit. */
interface Place { x: number, y: number, scale: number }

function shapeIn({ pdfLib }: Props, place: Place, { path, fill, stroke, width, hatch }: Shape): PDFOperator[] {
  const color = (hex: string) => pdfLib.rgb(...rgbOf(hex))
  const { operators, points } = pathOf(pdfLib, place, path)
  return [
    pdfLib.pushGraphicsState(),
    pdfLib.setLineJoin(pdfLib.LineJoinStyle.Round),
    pdfLib.setLineCap(pdfLib.LineCapStyle.Round),
    ...(fill ? [pdfLib.setFillingColor(color(fill)), ...operators, pdfLib.fill()] : []),
    ...(hatch ? hatched(pdfLib, operators, points, color(hatch)) : []),
    ...(stroke
      ? [pdfLib.setStrokingColor(color(stroke)), pdfLib.setLineWidth(width), ...operators, pdfLib.stroke()]
      : []),
    pdfLib.popGraphicsState()
  ]
}

type Lib = Props['pdfLib']
type Point = [x: number, y: number]

/** Converts an SVG path to PDF, where y grows upwards. */
function pathOf(
  lib: Lib,
  { x: left, y: top, scale }: Place,
  path: string
): { operators: PDFOperator[], points: Point[] } {
  const points: Point[] = []
  const operators = Array.from(path.matchAll(/([MLCZ])([^MLCZ]*)/g), ([, command, values]) => {
    const numbers = (values!.match(/-?[\d.]+/g) ?? []).map(Number)
    const places = numbers.map((value, at) => at % 2 === 0 ? left + value * scale : top - value * scale)
    for (let at = 0; at < places.length; at += 2) points.push([places[at]!, places[at + 1]!])
    const [x1, y1, x2, y2, x3, y3] = places as [number, number, number, number, number, number]
    if (command === 'M') return lib.moveTo(x1, y1)
    if (command === 'L') return lib.lineTo(x1, y1)
    if (command === 'C') return lib.appendBezierCurve(x1, y1, x2, y2, x3, y3)
    return lib.closePath()
  })
  return { operators, points }
}

/** Oblique lines over the shape's bounds, clipped by it. */
function hatched(lib: Lib, shape: PDFOperator[], points: Point[], color: ReturnType<Lib['rgb']>): PDFOperator[] {
  const [left, right] = [Math.min(...points.map(([x]) => x)), Math.max(...points.map(([x]) => x))]
  const [bottom, top] = [Math.min(...points.map(([, y]) => y)), Math.max(...points.map(([, y]) => y))]
  const height = top - bottom
  const count = Math.ceil((right - left + height) / HATCH.every)
  const lines = Array.from({ length: count }, (_, at) => left - height + (at + 0.5) * HATCH.every)
  return [
    lib.pushGraphicsState(),
    ...shape,
    lib.clip(),
    lib.endPath(),
    lib.setStrokingColor(color),
    lib.setLineWidth(HATCH.width),
    ...lines.flatMap(x => [lib.moveTo(x, bottom), lib.lineTo(x + height, top)]),
    lib.stroke(),
    lib.popGraphicsState()
  ]
}
