import { PDFDocument, rgb, type PDFFont } from '@pdfme/pdf-lib'
import type { Ctx } from '@svc/kit'
import { budgetSheet } from '../../../layers/budget/server/pdf/budget-sheet.ts'
import type { BudgetDocument } from '../../../layers/budget/server/pdf/document.ts'
import { drawSheet, inspectSheet } from '@svc/sheet/draw-sheet.ts'
import { face } from '@svc/sheet/text/fonts.ts'
import { layOut } from '@svc/sheet/layout/lay-out.ts'
import { PAGE, type Face } from '@svc/sheet/layout/style.ts'
import { createCtx } from '../../../server/core/modules/context.ts'
import { readConfig } from '../../../server/core/config.ts'
import { openHost } from '../../../server/core/open-host.ts'
import { aDecision, aDocument, someLines } from '../../support/documents/budget-document.ts'
import { fontkit } from '../../support/documents/fontkit.ts'
import { SECRET } from '../../support/browser/built-server.ts'
import { root } from '../../support/modules/official.ts'
import type { BenchInstance } from '../support/instance.ts'
import { compare, type Figure } from '../support/measure.ts'

/**
 * The signed PDF from plain values to sealed and checked bytes, compared with plain pdf-lib that writes the same text
 * in the same fonts with the same seal.
 */
export async function signedPdf(instance: BenchInstance, say: (line: string) => void): Promise<Figure[]> {
  const { ctx, seal, close } = await openContext(instance)
  const figures: Figure[] = []
  for (const [name, lines, pages] of [['one page', 6, 1], ['five pages', 110, 5]] as const) {
    say(`signed PDF, ${name}`)
    const document = aDocument({ items: someLines(lines), status: 'accepted', decision: aDecision() })
    const draw = () => drawSheet(ctx, budgetSheet(document), document.clinic)
    const { pages: drawn } = await draw()
    if (drawn !== pages) throw new Error(`${lines} lines make ${drawn} pages in place of ${pages}`)
    figures.push(await compare({
      name: `signed PDF, ${name}`,
      baseline: { name: 'pdf-lib alone: same text, fonts and seal', run: async () => seal(await bare(document)) },
      run: async () => inspectSheet(ctx, await seal((await draw()).bytes)),
      at_most: 3,
      size: instance.size,
      rounds: 40
    }))
  }
  await close()
  return figures
}

type Seal = (bytes: Uint8Array) => Promise<Uint8Array>

/** The product's own threads, and its seal with the instance's certificate. */
async function openContext({ env }: BenchInstance): Promise<{ ctx: Ctx, seal: Seal, close (): Promise<void> }> {
  const host = await openHost(readConfig({ ...env, SVC_SECRET: SECRET }, root))
  return {
    ctx: createCtx(host, { name: 'budget', depends: [] }),
    seal: async bytes =>
      (
        await host.documents.seal(bytes, {
          reason: 'Aceptación',
          signer: 'Clínica Peñalver',
          signed_at: new Date()
        })
      ).bytes,
    async close() {
      await host.threads.close()
      await host.database.close()
    }
  }
}

/** All positions are known, so that only the drawing remains. */
async function bare(document: BudgetDocument): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  pdf.registerFontkit(fontkit)
  const fonts = new Map<Face, PDFFont>()
  for (const marks of layOut(budgetSheet(document), document.clinic).pages) {
    const page = pdf.addPage([PAGE.width, PAGE.height])
    for (const mark of marks) {
      if (mark.kind !== 'text') continue
      if (!fonts.has(mark.face)) fonts.set(mark.face, await pdf.embedFont(face(mark.face).bytes, { subset: true }))
      page.drawText(mark.text, {
        x: mark.x,
        y: PAGE.height - mark.baseline,
        font: fonts.get(mark.face)!,
        size: mark.size,
        color: rgb(0, 0, 0)
      })
    }
  }
  return await pdf.save()
}
