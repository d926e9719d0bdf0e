interface Conflict<Key> { key: Key, theirs: unknown, mine: { value: unknown } | null }

/**
 * Converts the conflicts of `useEdit` to the rows of ConflictNotice. `label` names a field; `show` formats its value.
 */
export function useConflictRows<Key extends string>(
  conflicts: () => readonly Conflict<Key>[] | null,
  label: (key: Key) => string,
  show: (key: Key, value: unknown) => string
) {
  const { t } = useI18n()
  return computed(() =>
    (conflicts() ?? []).map(({ key, theirs, mine }) => ({
      key,
      label: label(key),
      theirs: show(key, theirs),
      mine: mine ? show(key, mine.value) : t('staff.conflict.untouched')
    }))
  )
}
