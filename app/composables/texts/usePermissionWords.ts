/** Names of the permissions that an API token can have, grouped by module. */
export function usePermissionWords() {
  const { t, te } = useI18n()
  const { modules, me } = useSession()

  const ofShell = computed<Record<string, string>>(() => ({
    clinic: t('staff.navigation_clinic'),
    webhooks: t('staff.navigation_webhooks'),
    privacy: t('staff.tokens.privacy')
  }))
  function partOf(part: string): string {
    const place = modules.value?.find(({ name }) => name === part)?.navigation[0]?.label ?? part
    return ofShell.value[part] ?? (te(place) ? t(place) : place)
  }
  const deeds = computed<Record<string, string>>(() => ({
    read: t('staff.tokens.read'),
    write: t('staff.tokens.write'),
    manage: t('staff.tokens.manage')
  }))
  const deedOf = (permission: string) => deeds.value[permission.split('.')[1]!] ?? permission
  const wordsOf = (permission: string) => `${partOf(permission.split('.')[0]!)}: ${deedOf(permission)}`

  /** The person's own permissions, without those that only people may have. */
  const groups = computed(() => {
    const open = (me.value?.permissions ?? []).filter(name => name !== 'users.manage' && name !== 'modules.manage')
    return [...Map.groupBy(open, name => name.split('.')[0]!)].map(([part, names]) => ({
      part,
      label: partOf(part),
      items: names.map(name => ({ value: name, label: deedOf(name), description: name }))
    }))
  })
  return { groups, wordsOf }
}
