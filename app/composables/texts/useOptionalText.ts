/** A text that may be missing, such as one of a module without a layer: null then. */
export function useOptionalText() {
  const { t, te } = useI18n()
  return (key: string): string | null => te(key) ? t(key) : null
}
