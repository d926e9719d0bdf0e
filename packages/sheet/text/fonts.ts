import { readFileSync } from 'node:fs'
import { findFontFile } from './font-files.ts'
import { readMetrics, type Metrics } from './metrics.ts'
import type { Face } from '../layout/style.ts'

export interface LoadedFace { bytes: Uint8Array<ArrayBuffer>, metrics: Metrics }

const FILES: Record<Face, string> = {
  regular: 'DejaVuSansCondensed.ttf',
  bold: 'DejaVuSansCondensed-Bold.ttf',
  script: 'DejaVuSerifCondensed-Italic.ttf'
}

const loaded = new Map<Face, LoadedFace>()

/**
 * A face's file and widths, read once per process and thread. Its characters are Latin, Greek, Cyrillic and Arabic; for
 * other scripts see `fallback.ts`.
 */
export function face(name: Face): LoadedFace {
  const known = loaded.get(name)
  if (known) return known
  const file = findFontFile(`dejavu-fonts-ttf/ttf/${FILES[name]}`)
  if (!file) throw new Error(`The font ${FILES[name]} of the package dejavu-fonts-ttf was not found`)
  const bytes = new Uint8Array(readFileSync(file))
  const fresh = { bytes, metrics: readMetrics(bytes) }
  loaded.set(name, fresh)
  return fresh
}
