import type { Ctx } from '@svc/kit'
import type { Letterhead } from '../../pdf/document.ts'
import type { Sheet } from '../../pdf/sheet.ts'
import { clinicLetterhead } from './clinic-letterhead.ts'
import { renderSheetOf } from './render-document.ts'

export interface SheetOf {
  clinic_id: string
  /** As the clinic was called when the document was made; as it is called now when null. */
  issuer: Pick<Letterhead, 'name' | 'address' | 'phone' | 'email'> | null
  sheet: Sheet
}

/** Another module's document as a PDF, under the clinic's letterhead. */
export async function drawSheet(ctx: Ctx, { clinic_id, issuer, sheet }: SheetOf): Promise<Uint8Array> {
  const letterhead = await clinicLetterhead(ctx, await ctx.clinics.get(clinic_id))
  return (await renderSheetOf(ctx, sheet, { ...letterhead, ...issuer })).bytes
}
