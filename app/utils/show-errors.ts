interface FieldError { name?: string, message: string }

/** Shows the server's errors in the part of a form that is opened again, and focuses the first field with an error. */
export function showErrors(
  form: { setErrors (errors: FieldError[]): void } | null,
  errors: FieldError[] | null,
  part: string,
  messages: Record<string, string> = {}
) {
  const own = (errors ?? []).flatMap(({ name, message }) => {
    const field = name?.startsWith(`${part}.`) ? name.slice(part.length + 1) : null
    return field ? [{ name: field, message: messages[field] ?? message }] : []
  })
  if (own.length === 0) return
  form?.setErrors(own)
  focusFirstError()
}
