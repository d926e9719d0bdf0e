/**
 * Loads what the first sealed document of a process needs. Outside the bundle that holds the process for many seconds
 * on a busy machine; a test that decides and then waits for something else has that behind it.
 */
export async function loadDocuments(): Promise<void> {
  await import('reflect-metadata')
  await Promise.all([
    import('@pdfme/generator'),
    import('@pdfme/schemas'),
    import('@pdfme/pdf-lib'),
    import('pdf-lib'),
    import('pkijs'),
    import('@peculiar/x509')
  ])
}
