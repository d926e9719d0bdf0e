/** For `catch`: what stands for a file or folder that is not there; any other error goes on. */
export function ifMissing<T>(instead: T) {
  return (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return instead
    throw error
  }
}
