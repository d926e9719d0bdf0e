export interface Place { label: string, to: string, icon: string, active?: boolean }

/**
 * Where the person can go: what the running modules declare in their manifests (`/api/v1/modules/-/active`) and their
 * permissions allow (`/me`), then the pages of the shell itself.
 */
export function useNavigation() {
  const { t, te } = useI18n()
  const { modules, me, can } = useSession()
  const route = useRoute()

  /** For members; an administrator of the instance alone has no clinic to look at. */
  const home = computed<Place[]>(() =>
    me.value?.clinic ? [{ label: t('staff.navigation_home'), to: '/', icon: 'i-lucide-house' }] : []
  )

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
      ? [
          { label: t('staff.navigation_tokens'), to: '/tokens', icon: 'i-lucide-key-square' },
          { label: t('staff.navigation_audit'), to: '/audit', icon: 'i-lucide-scroll-text' },
          { label: t('staff.navigation_clinic'), to: '/clinic', icon: 'i-lucide-settings' }
        ]
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
      { id: 'modules', items: marked([...home.value, ...ofModules.value]) },
      { id: 'clinic', items: marked(ofShell.value) }
    ].filter(({ items }) => items.length > 0)
  )
  /** Where a log-in leads: home, or the first place that there is. */
  const start = computed(() => [...home.value, ...ofModules.value, ...ofShell.value][0]?.to ?? '/account')
  return { home, ofModules, ofShell, groups, start }
}
