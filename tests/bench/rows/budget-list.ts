import type { Caller } from '../../support/caller.ts'
import type { BenchInstance } from '../support/instance.ts'
import { compare, type Figure } from '../support/measure.ts'

const LIST = '/api/v1/budget/budgets'
const BUDGETS = { full: [1_000, 100_000], smallest: [20, 100] } as const

/**
 * The list of a clinic with 100,000 budgets: first page, page 500, searched, filtered and sorted, each compared with
 * page 1 of 1,000.
 */
export async function budgetList(instance: BenchInstance, say: (line: string) => void): Promise<Figure[]> {
  const [few_budgets, many_budgets] = BUDGETS[instance.size]
  const [few, many] = [await instance.anotherClinic(), await instance.anotherClinic()]
  say(`writing ${few_budgets + many_budgets} budgets`)
  await fill(instance, few.id, few_budgets)
  await fill(instance, many.id, many_budgets)
  await instance.sql`vacuum analyze` // the state after autovacuum

  const baseline = {
    name: `page 1 of ${few_budgets.toLocaleString('en')} budgets`,
    run: read(await instance.as('admin', few), '')
  }
  const staff = await instance.as('admin', many)
  const figures: Figure[] = []
  for (const [name, query] of QUESTIONS) {
    say(name)
    figures.push(
      await compare({
        name: `${many_budgets.toLocaleString('en')} budgets: ${name}`,
        baseline,
        run: read(staff, query),
        at_most: 2,
        size: instance.size
      })
    )
  }
  return figures
}

const QUESTIONS: [name: string, query: string][] = [
  ['page 1', ''],
  ['page 500', '?page=500'],
  ['open ones, page 1', '?status=sent'],
  ['open ones, page 500', '?status=sent&page=500'],
  ['by total, page 500', '?sort=-total&page=500'],
  ['one number', '?search=PRES-2026-54321'],
  ['a patient by two words', '?search=Garc%C3%ADa%20777'],
  ['locked', '?locked=true'],
  ['expire this week', '?attention=expiring']
]

const read = (staff: Caller, query: string) => async () => {
  const { status, body } = await staff.get(LIST + query)
  if (status !== 200) throw new Error(`${query} answered ${status}`)
  return body
}

/** Like a clinic after some years: most budgets are decided, a tenth is open, one in a thousand needs attention. */
async function fill({ sql }: BenchInstance, clinic_id: string, count: number): Promise<void> {
  await sql`
    insert into budget (clinic_id, number, status, patient_id, patient_first_name, patient_last_name, professional_name, currency, locale, time_zone,
                        valid_until, expires_at, original_total, total, created_at, sent_at, decided_at)
    select ${clinic_id}, 'PRES-2026-' || case when n < 10000 then lpad(n::text, 4, '0') else n::text end, status, gen_random_uuid(),
           (array['Ana','Luis','Marta','José','Zoé','Jürgen'])[1 + n % 6], (array['García','Núñez','Puig','O’Brien','Haddad'])[1 + n % 5] || ' ' || n, 'Dr. Vidal',
           'EUR', 'es', 'Europe/Madrid', (now() + interval '30 days')::date,
           now() + case when n % 1000 = 0 then interval '3 days' else interval '30 days' end, 10000 + n, 10000 + n, now() - n * interval '1 minute',
           case when status <> 'draft' then now() - n * interval '1 minute' end,
           case when status in ('accepted', 'rejected') then now() - n * interval '30 seconds' end
    from generate_series(1, ${count}) as n,
         lateral (select (array['sent','accepted','accepted','accepted','rejected','expired','cancelled','accepted','superseded','draft'])[1 + n % 10] as status) as state`
}
