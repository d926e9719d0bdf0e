import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { PDFDocument } from '@pdfme/pdf-lib'
import { root } from '../modules/official.ts'

export type Fontkit = Parameters<PDFDocument['registerFontkit']>[0]

const pdfme = createRequire(join(root, 'package.json')).resolve('@pdfme/generator')
/** The engine that joins letters and makes subsets when a PDF is drawn: pdfme's own, which is no dependency of ours. */
export const fontkit = createRequire(pdfme)('fontkit') as Fontkit
