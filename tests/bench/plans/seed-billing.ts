import type { Step } from './seed.ts'

/** An invoice for each accepted budget. Most of them are issued, and half of those are paid. */
export const billingSteps: Step[] = [
  {
    what: 'invoices',
    run: sql => sql`
    insert into billing_invoice (clinic_id, number, status, budget_id, budget_number, budget_version, patient_id, patient_first_name, patient_last_name, currency, locale, total, tax_total,
                                 created_at, issued_at, issued_on, issuer)
    select clinic_id, case when status <> 'draft' then 'INV-' || extract(year from at) || '-' || case when n < 10000 then lpad(n::text, 4, '0') else n::text end end, status, id, number, version, patient_id, patient_first_name, patient_last_name,
      currency, locale, total, tax_total, at, case when status <> 'draft' then at end, case when status <> 'draft' then at::date end, case when status <> 'draft' then '{"name":"Clinic"}'::jsonb end
    from (select *, row_number() over (partition by clinic_id order by decided_at) as n, decided_at + interval '1 minute' as at from (select id, clinic_id, number, version, patient_id, patient_first_name, patient_last_name, currency, locale, total, tax_total, decided_at from budget where status = 'accepted') as accepted) as numbered,
      lateral (select (array['draft','issued','paid','paid','issued','cancelled','paid'])[1 + n % 7] as status) as state`
  },
  {
    what: 'lines and payments of invoices',
    run: async (sql) => {
      await sql`
      insert into billing_invoice_line (invoice_id, clinic_id, position, treatment_id, code, name, quantity, vat, price, tax)
      select id, clinic_id, 0, gen_random_uuid(), 'P-1', '{"es":"Empaste"}', 1, 2100, total, tax_total from billing_invoice`
      await sql`insert into billing_payment (invoice_id, clinic_id, amount, method, paid_at) select id, clinic_id, total, 'card', issued_at from billing_invoice where status = 'paid'`
      await sql`insert into billing_number (clinic_id, year, last) select clinic_id, year, budgets from share, generate_series(extract(year from now())::int - 3, extract(year from now())::int) year`
    }
  }
]
