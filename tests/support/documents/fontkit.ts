import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { PDFDocument } from '@pdfme/pdf-lib'
import { root } from '../modules/official.ts'

export type Fontkit = Parameters<PDFDocument['registerFontkit']>[0]

const pdfme = createRequire(join(root, 'package.json')).resolve('@pdfme/generator')
/**
 * pdfme's own copy of the engine that joins letters and makes font subsets; the product does not depend on it directly.
 */
export const fontkit = createRequire(pdfme)('fontkit') as Fontkit
