import { problem } from '@svc/kit'

/** Collects the invalid fields of a request, so that all of them are answered at once. */
export function createFieldErrors() {
  const errors: { pointer: string, message: string }[] = []
  return {
    add(pointer: string, message: string) { errors.push({ pointer, message }) },
    throwAny() { if (errors.length > 0) throw problem('validation_failed', { errors }) }
  }
}
export type FieldErrors = ReturnType<typeof createFieldErrors>
