import type { FormErrorEvent } from '@nuxt/ui'

/** After a refused submit the first field that is wrong has the focus; its message is read with it. */
export function focusFirstError({ errors }: FormErrorEvent) {
  const fields = errors.flatMap(({ id }) => (id && document.getElementById(id)) || [])
  const [first] = fields.sort((one, other) => one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1)
  first?.focus()
}
