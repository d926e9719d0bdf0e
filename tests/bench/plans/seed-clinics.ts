import type { Size, Step } from './seed.ts'

/**
 * Clinics with their staff, patients and treatments. The first one has a fifth of all rows, and the rest is distributed
 * unevenly.
 */
export const clinicSteps = ({ budgets, clinics }: Size): Step[] => [
  {
    what: `${clinics} clinics`,
    run: async (sql) => {
      await sql`
      insert into core_clinic (name, currency, time_zone, locale)
      select 'Clinic ' || n, 'EUR', 'Europe/Madrid', 'es' from generate_series(1, ${clinics}::int) n`
      await sql`
      insert into core_module_setting (clinic_id, module, "values", changed_at)
      select id, 'budget', jsonb_build_object('reminders', jsonb_build_object('enabled', substring(name from 8)::int % 3 <> 0, 'days', jsonb_build_array(7, 14), 'quiet_from', '03:00', 'quiet_to', '03:01')),
        jsonb_build_object('reminders.enabled', to_char((now() - interval '60 days') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      from core_clinic where name like 'Clinic %'`
    }
  },
  {
    what: 'shares',
    run: sql => sql`
    insert into share with ranked as (
      select id, rank, case when rank = 1 then 0 else 1.0 / (rank + 8) end as weight
      from (select id, row_number() over (order by substring(name from 8)::int)::int as rank from core_clinic where name like 'Clinic %') as numbered)
    select id, rank, b, greatest(5, b * 2 / 5) from (
      select id, rank, greatest(10, case when rank = 1 then ${budgets}::int / 5 else (${budgets}::int * 0.8 * weight / sum(weight) over ())::int end)::int as b from ranked) as shared`
  },
  {
    what: 'users, sessions and mailed links',
    run: async (sql) => {
      await sql`insert into core_user (email, first_name, last_name, password_hash) select 'user-' || rank || '-' || n || '@plans.test', 'Rosa', 'Plan ' || n, 'x' from share, generate_series(1, 6) n`
      await sql`
      insert into core_membership (clinic_id, user_id, role) select clinic_id, id, 'dentist' from core_user join share on rank = split_part(email, '-', 2)::int where email like 'user-%@plans.test'`
      await sql`
      insert into core_session (token_hash, user_id, clinic_id, created_at, last_used_at, revoked_at)
      select sha256((user_id::text || n)::bytea), user_id, clinic_id, at, at, case when n % 3 = 0 then at end
      from core_membership, generate_series(1, 60) n, lateral (select now() - n * interval '12 hours 2 minutes' as at) as used`
      await sql`
      insert into core_mailed_token (token_hash, purpose, user_id, expires_at)
      select sha256((id::text || n)::bytea), 'password_reset', id, now() - n * interval '5 days 1 minute' from core_user, generate_series(1, 6) n`
      await sql`insert into core_rate_limit (key, points, expire) select 'plan:' || n, 1, now() + (n % 3600 - 3600) * interval '1 second' from generate_series(1, 20000) n`
    }
  },
  {
    what: 'professionals and treatments',
    run: async (sql) => {
      await sql`insert into clinical_professional (clinic_id, name, search) select clinic_id, 'Dr. Vidal ' || n, 'dr. vidal ' || n from share, generate_series(1, 5) n`
      await sql`
      insert into catalog_treatment (clinic_id, code, name, unit_price, vat, search)
      select clinic_id, 'P-' || n, jsonb_build_object('es', 'Empaste ' || n, 'en', 'Filling ' || n), 10000, 2100, 'p-' || n || ' empaste filling ' || n from share, generate_series(1, 150) n`
    }
  },
  {
    what: 'patients',
    run: sql => sql`
    insert into clinical_patient (clinic_id, first_name, last_name, email, phone, locale, search)
    select clinic_id, first_name, last_name, 'p' || n || '@plans.test', '+346' || lpad(n::text, 8, '0'), 'es', lower(last_name || ' ' || first_name || ' p' || n || '@plans.test 346' || lpad(n::text, 8, '0'))
    from share, generate_series(1, patients) n,
      lateral (select (array['Ana','Luis','Marta','Jose','Zoe','Jurgen','Eva','Iker'])[1 + n % 8] as first_name,
                      (array['Garcia','Nunez','Puig','Haddad','Vila','Soler','Roca'])[1 + n % 7] || ' ' || substr(md5(n::text), 1, 5) as last_name) as named`
  }
]
