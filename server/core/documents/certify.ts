import { PDFArray, PDFDict, PDFInvalidObject, PDFName, PDFRef, type PDFDocument } from 'pdf-lib'

/** DocMDP with P 1 (ISO 32000-1, 12.8.2.2): no changes are permitted. Without digests, as PDF/A requires. */
const NO_CHANGES
  = '/Reference [ << /Type /SigRef /TransformMethod /DocMDP /TransformParams << /Type /TransformParams /P 1 /V /1.2 >> >> ]'

/**
 * Turns the placeholder of a signature into that of a certification, so that readers report later additions as invalid
 * and not merely as "not signed". The library has already written its dictionary as bytes, in the value of the last
 * field.
 */
export function certify({ catalog, context }: PDFDocument): void {
  const fields = catalog.lookup(PDFName.of('AcroForm'), PDFDict).lookup(PDFName.of('Fields'), PDFArray)
  const signature = fields.lookup(fields.size() - 1, PDFDict).get(PDFName.of('V'))
  const written = context.lookup(signature)
  if (!(signature instanceof PDFRef) || !(written instanceof PDFInvalidObject))
    throw new Error('the PDF has no placeholder of a signature')
  const bytes = Buffer.alloc(written.sizeInBytes())
  written.copyBytesInto(bytes, 0)
  const end = bytes.lastIndexOf('>>')
  context.assign(
    signature,
    PDFInvalidObject.of(Buffer.concat([bytes.subarray(0, end), Buffer.from(`${NO_CHANGES}\n>>`)]))
  )
  catalog.set(PDFName.of('Perms'), context.obj({ DocMDP: signature }))
}
