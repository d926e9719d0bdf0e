export interface Place { label: string, to: string, icon: string, active?: boolean }

/**
 * Where the person can go: what the running modules declare in their manifests (`/api/v1/modules/-/active`) and their
 * permissions allow (`/me`), then the pages of the shell itself.
 */
export function useNavigation() {
  const { t, te } = useI18n()
  const { modules, me, can } = useSession()
  const route = useRoute()

  const ofModules = computed<Place[]>(() => (modules.value ?? [])
    .flatMap(module => module.navigation)
    .filter(({ permission }) => !permission || can(permission))
    .sort((one, other) => one.order - other.order)
    .map(({ label, to, icon }) => ({ label: te(label) ? t(label) : label, to, icon: icon ?? 'i-lucide-box' })))

  const ofShell = computed<Place[]>(() => [
    ...(can('users.manage') ? [{ label: t('staff.navigation_users'), to: '/users', icon: 'i-lucide-user-cog' }] : []),
    ...(can('webhooks.manage')
      ? [{ label: t('staff.navigation_webhooks'), to: '/webhooks', icon: 'i-lucide-webhook' }]
      : []),
    ...(can('clinic.manage')
      ? [{ label: t('staff.navigation_tokens'), to: '/tokens', icon: 'i-lucide-key-square' }]
      : []),
    ...(can('clinic.manage')
      ? [{ label: t('staff.navigation_clinic'), to: '/clinic', icon: 'i-lucide-settings' }]
      : []),
    ...(me.value?.user.instance_admin
      ? [{ label: t('staff.navigation_modules'), to: '/modules', icon: 'i-lucide-blocks' }]
      : [])
  ])

  /** One is at a place on each page below it. */
  const marked = (places: Place[]) =>
    places.map(place => ({ ...place, active: route.path === place.to || route.path.startsWith(`${place.to}/`) }))
  const groups = computed(() =>
    [
      { id: 'modules', items: marked(ofModules.value) },
      { id: 'clinic', items: marked(ofShell.value) }
    ].filter(({ items }) => items.length > 0)
  )
  /** The first place that there is: where a log-in leads. */
  const start = computed(() => ofModules.value[0]?.to ?? ofShell.value[0]?.to ?? '/account')
  return { ofModules, ofShell, groups, start }
}
