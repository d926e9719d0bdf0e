/** For `catch`: the value to use for a missing file or folder. Any other error is thrown again. */
export function ifMissing<T>(instead: T) {
  return (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return instead
    throw error
  }
}
