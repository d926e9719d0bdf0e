import { PDFArray, PDFDict, PDFInvalidObject, PDFName, PDFRef, type PDFDocument } from 'pdf-lib'

/** DocMDP with P 1 (ISO 32000-1, 12.8.2.2): no change at all is permitted. Without digests, as PDF/A wants it. */
const NO_CHANGES
  = '/Reference [ << /Type /SigRef /TransformMethod /DocMDP /TransformParams << /Type /TransformParams /P 1 /V /1.2 >> >> ]'

/**
 * Makes the placeholder of a signature that of a certification, so that readers call later additions invalid and not
 * only "not signed". The library has written its dictionary as bytes already; it is the value of the last field.
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
