import { beforeEach, expect, test } from 'vitest'
import { useNavigation, useRouter } from '#imports'
import { aModule, aPerson, forgetSession, signIn } from './support/api.ts'
import { using } from './support/screen.ts'

const budget = aModule('budget', [{ label: 'Budgets', to: '/budgets', permission: 'budget.read', order: 10 }])
const clinical = aModule('clinical', [{ label: 'Patients', to: '/patients', permission: 'patients.read', order: 5 }])
const labels = (groups: { items: { label: string }[] }[]) => groups.map(({ items }) => items.map(({ label }) => label))

beforeEach(forgetSession)

test('the sidebar has the entries of the running modules in their order', async () => {
  await signIn({ permissions: ['budget.read', 'patients.read'] }, [budget, clinical])
  const { groups } = await using(useNavigation)
  expect(labels(groups.value)).toEqual([['Home', 'Patients', 'Budgets']])
})

test('an entry that needs a permission is hidden from people who do not have it', async () => {
  await signIn({ permissions: ['patients.read'] }, [budget, clinical])
  const { groups } = await using(useNavigation)
  expect(labels(groups.value)).toEqual([['Home', 'Patients']])
})

test('the clinic\'s own entries follow, one for each permission', async () => {
  await signIn({ permissions: ['users.manage', 'webhooks.manage', 'clinic.manage'] })
  const { groups } = await using(useNavigation)
  const own = ['Users', 'Webhooks', 'API tokens', 'Audit log', 'Clinic settings']
  expect(labels(groups.value)).toEqual([['Home'], own])
})

test('only the administrator of the instance has an entry for the modules', async () => {
  await signIn({ user: { ...aPerson().user, instance_admin: true } })
  const { groups } = await using(useNavigation)
  expect(labels(groups.value)).toEqual([['Home'], ['Modules']])
})

test('an entry is active on each page below it, but not on a page that only begins with the same letters', async () => {
  const router = useRouter()
  for (const path of ['/shelf/:book', '/shelf-of-old'])
    router.addRoute({ path, component: { render: () => null }, meta: { layout: 'plain' } })
  await signIn({}, [aModule('shelf', [{ to: '/shelf' }])])
  const { groups } = await using(useNavigation, { route: '/shelf/7' })
  expect(groups.value[0]!.items[1]!.active).toBe(true)
  await router.replace('/shelf-of-old')
  expect(groups.value[0]!.items[1]!.active).toBe(false)
})

test('signing in opens the home page, or without a clinic the first entry of the sidebar or the account', async () => {
  await signIn({ permissions: ['budget.read'] }, [budget])
  expect((await using(useNavigation)).start.value).toBe('/')
  forgetSession()
  await signIn({ clinic: null, user: { ...aPerson().user, instance_admin: true } })
  expect((await using(useNavigation)).start.value).toBe('/modules')
  forgetSession()
  await signIn({ clinic: null })
  expect((await using(useNavigation)).start.value).toBe('/account')
})
