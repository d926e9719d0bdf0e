interface Conflict<Key> { key: Key, theirs: unknown, mine: { value: unknown } | null }

/**
 * The conflicts of `useEdit` as ConflictNotice shows them. `label` names a field, `show` writes its value as people
 * read it.
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
