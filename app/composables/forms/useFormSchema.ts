interface Issue {
  code?: string
  origin?: string
  path: readonly PropertyKey[]
  format?: string
  input?: unknown
  minimum?: number | bigint
  maximum?: number | bigint
  message: string
}
interface Schema {
  safeParse(
    input: unknown
  ): { success: true, data: unknown } | { success: false, error: { issues: readonly unknown[] } }
}

/**
 * Validates a form with a contract's schema: the server's rules, with messages in the page's language. `errorsFrom`
 * converts the server's errors (422) to errors of the fields. `messages` has, by the field's path, the texts for fields
 * with a format of their own.
 */
export function useFormSchema(
  contract: Schema,
  toRequest: (state: unknown) => unknown = state => state,
  messages: () => Record<string, string> = () => ({})
) {
  const { t } = useI18n()

  function messageOf({ code, origin, minimum, maximum, format, path }: Issue): string {
    if (code === 'too_small' && origin === 'string')
      return Number(minimum) <= 1 ? t('field.required') : t('field.too_short', { n: String(minimum) })
    if (code === 'too_big' && origin === 'string') return t('field.too_long', { n: String(maximum) })
    if (code === 'too_small' && origin === 'array') return t('field.some', { n: String(minimum) }, Number(minimum))
    if (code === 'too_small') return t('field.at_least', { n: String(minimum) })
    if (code === 'too_big') return t('field.at_most', { n: String(maximum) })
    if (code === 'invalid_format' && format === 'email') return t('field.email')
    if (code === 'invalid_format' && format === 'url') return t('field.url')
    if (code === 'invalid_format' && format === 'date') return t('field.date')
    return messages()[path.join('.')] ?? t('field.invalid')
  }
  const isMissing = (issue: Issue, state: unknown) => (valueAt(state, issue.path) ?? '') === ''

  /** A Standard Schema, which UForm accepts. */
  const schema = {
    '~standard': {
      version: 1 as const,
      vendor: 'svc',
      validate(state: unknown) {
        const request = toRequest(state)
        const result = contract.safeParse(request)
        if (result.success) return { value: state }
        const issues = result.error.issues as Issue[]
        return {
          issues: issues.map(issue => ({
            path: issue.path,
            message: isMissing(issue, request) ? t('field.required') : messageOf(issue)
          }))
        }
      }
    }
  }

  const errorsFrom = (error: ApiError) =>
    error.errors.map(({ pointer, message }) => {
      const name = pointer.replace(/^\//, '').replaceAll('/', '.')
      return { name, message: messages()[name] ?? message }
    })
  return { schema, errorsFrom }
}

function valueAt(state: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], state)
}
