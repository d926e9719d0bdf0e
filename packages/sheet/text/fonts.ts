import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readMetrics, type Metrics } from './metrics.ts'
import type { Face } from '../layout/style.ts'

export interface LoadedFace { bytes: Uint8Array<ArrayBuffer>, metrics: Metrics }

const FILES: Record<Face, string> = {
  regular: 'DejaVuSansCondensed.ttf',
  bold: 'DejaVuSansCondensed-Bold.ttf',
  script: 'DejaVuSerifCondensed-Italic.ttf'
}

const loaded = new Map<Face, LoadedFace>()

/** A face's file and its widths; read once per process and thread. Latin, Greek and Cyrillic are all in it. */
export function face(name: Face): LoadedFace {
  const known = loaded.get(name)
  if (known) return known
  const bytes = new Uint8Array(readFileSync(fontFile(FILES[name])))
  const fresh = { bytes, metrics: readMetrics(bytes) }
  loaded.set(name, fresh)
  return fresh
}

/** From the place of this file, then from the working directory: a bundle lies elsewhere than its packages. */
function fontFile(name: string): string {
  for (const from of [import.meta.url, pathToFileURL(join(process.cwd(), 'package.json')).href]) {
    try {
      const file = createRequire(from).resolve(`dejavu-fonts-ttf/ttf/${name}`)
      if (existsSync(file)) return file
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  throw new Error(`The font ${name} of the package dejavu-fonts-ttf was not found`)
}
