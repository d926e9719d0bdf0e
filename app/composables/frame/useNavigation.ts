export interface Place { label: string, to: string, icon: string, active?: boolean }

/**
 * The places that the person can go to: those in the manifests of running modules (`/api/v1/modules/-/active`) that
 * their permissions (`/me`) allow, then the shell's own pages.
 */
export function useNavigation() {
  const { t, te } = useI18n()
  const { modules, me, can } = useSession()
  const route = useRoute()

  /** Only for members. An administrator of the instance alone has no clinic. */
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

  /** A place is also marked on the pages below it. */
  const marked = (places: Place[]) =>
    places.map(place => ({ ...place, active: route.path === place.to || route.path.startsWith(`${place.to}/`) }))
  const groups = computed(() =>
    [
      { id: 'modules', items: marked([...home.value, ...ofModules.value]) },
      { id: 'clinic', items: marked(ofShell.value) }
    ].filter(({ items }) => items.length > 0)
  )
  /** The page to open after signing in: the home page, or else the first place. */
  const start = computed(() => [...home.value, ...ofModules.value, ...ofShell.value][0]?.to ?? '/account')
  return { home, ofModules, ofShell, groups, start }
}
