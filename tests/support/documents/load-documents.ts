/**
 * Loads the code that the first sealed document of a process needs. Without a bundle, loading blocks the process for
 * many seconds on a busy machine. A test that decides and then waits for something else does this first.
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
