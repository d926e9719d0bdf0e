import type { Step } from './seed.ts'

/**
 * Budgets of three years with all dependent rows. Expired budgets are closed, except a few hundred that the next run of
 * the job closes.
 */
export const budgetSteps: Step[] = [
  {
    what: 'budgets',
    run: sql => sql`
    with person as (select id, clinic_id, first_name, last_name, row_number() over (partition by clinic_id order by id) as place from clinical_patient),
    doctor as (select clinic_id, (array_agg(id order by id)) as ids from clinical_professional group by clinic_id)
    insert into budget (clinic_id, number, status, patient_id, patient_first_name, patient_last_name, professional_id, professional_name, currency, locale, time_zone,
                        valid_until, expires_at, original_total, total, tax_total, created_at, updated_at, sent_at, viewed_at, decided_at, decided_via, closed_at, closed_reason,
                        signed_pdf_status, signed_pdf_key, signed_pdf_sha256, signed_pdf_at, log_count, log_hash, log_seal)
    select share.clinic_id, 'PRES-' || extract(year from at) || '-' || case when n < 10000 then lpad(n::text, 4, '0') else n::text end, status, person.id, person.first_name, person.last_name,
      doctor.ids[1 + n % 5], 'Dr. Vidal ' || 1 + n % 5, 'EUR', 'es', 'Europe/Madrid', (at + interval '30 days')::date, at + interval '30 days', 24200 + n, 24200 + n, 4200, at, at,
      case when status <> 'draft' then at + interval '1 hour' end, case when status in ('accepted', 'rejected') or (status <> 'draft' and n % 2 = 0) then at + interval '5 hours' end,
      case when status in ('accepted', 'rejected') then at + interval '1 day' end, case when status in ('accepted', 'rejected') then 'remote_link' end,
      case when status in ('expired', 'cancelled', 'superseded') then at + interval '30 days' end, case when status = 'expired' then 'validity' when status in ('cancelled', 'superseded') then status end,
      case when status = 'accepted' then 'ready' else 'none' end, case when status = 'accepted' then 'signed/' || gen_random_uuid() end,
      case when status = 'accepted' then encode(sha256((share.clinic_id::text || n)::bytea), 'hex') end, case when status = 'accepted' then at + interval '25 hours' end,
      case when status = 'draft' then 0 else 3 end, case when status <> 'draft' then sha256('3') end, case when status <> 'draft' then sha256('seal') end
    from share join doctor using (clinic_id), generate_series(1, share.budgets) n,
      lateral (select now() - (share.budgets - n + 1)::float8 / share.budgets * interval '3 years' as at) as made,
      lateral (select case when at > now() - interval '30 days' then (array['sent','accepted','sent','draft','rejected','sent','accepted','sent','cancelled','accepted'])[1 + n % 10]
        when n % 5000 = 0 then 'sent' else (array['accepted','accepted','rejected','accepted','expired','accepted','accepted','cancelled','accepted','superseded','expired','draft','rejected'])[1 + n % 13] end as status) as state,
      person where person.clinic_id = share.clinic_id and person.place = 1 + (n * 7919::bigint) % share.patients`
  },
  {
    what: 'lines',
    run: sql => sql`
    with treatment as (select clinic_id, array_agg(id order by code) as ids from catalog_treatment group by clinic_id)
    insert into budget_item (budget_id, clinic_id, position, treatment_id, code, name, description, unit_price, vat, quantity, original_price, price, tax)
    select id, clinic_id, n, ids[1 + (total + n * 31) % 150], 'P-' || n, '{"es":"Empaste","en":"Filling"}', '{}', 10000, 2100, 1, 12100, 12100, 2100
    from budget join treatment using (clinic_id), generate_series(1, 2) n`
  },
  {
    what: 'links, sessions and reminders',
    run: async (sql) => {
      await sql`
      insert into budget_link (budget_id, clinic_id, token_hash, minted_at, code_hash, code_set_at, locked_until, channel, delivery, delivered_at, delivered_via, delivery_error, message_id)
      select id, clinic_id, sha256(id::text::bytea), sent_at, 'x', sent_at, case when total % 900 = 0 then sent_at + interval '1 hour' when total % 9001 = 0 then now() + interval '1 hour' end,
        'email', case when total % 700 = 0 then 'failed' else 'sent' end, sent_at, 'smtp', case when total % 700 = 0 then 'refused' end, gen_random_uuid()
      from budget where status <> 'draft'`
      await sql`
      insert into budget_session (session_hash, budget_id, clinic_id, created_at, last_used_at, read_at)
      select sha256((id::text || n)::bytea), id, clinic_id, at, at, at from budget, generate_series(1, 3) n, lateral (select now() - (total % 1440 + n) * interval '1 minute' as at) as used
      where status = 'sent' and created_at > now() - interval '30 days'`
      await sql`insert into budget_reminder (budget_id, clinic_id, days, at, message_id) select id, clinic_id, 14, sent_at + interval '7 days', gen_random_uuid() from budget where (status <> 'draft' and total % 3 = 0) or (status = 'sent' and total % 40 <> 0)`
      await sql`insert into budget_notice (budget_id, clinic_id, message_id, done_at) select id, clinic_id, gen_random_uuid(), decided_at from budget where decided_at is not null`
    }
  },
  {
    what: 'signatures',
    run: sql => sql`
    insert into budget_signature (budget_id, clinic_id, decision, signer_name, relationship, method, consent_version, reason_code, content, content_digest, decided_at, time_zone, locale, document_sha256)
    select id, clinic_id, status, 'Ana', 'patient', 'click', '1', case when status = 'rejected' then (array['price','time','other'])[1 + total % 3] end,
      repeat(md5(id::text), 16), encode(sha256(id::text::bytea), 'hex'), decided_at, 'Europe/Madrid', 'es', signed_pdf_sha256 from budget where decided_at is not null`
  },
  {
    what: 'log rows',
    run: sql => sql`
    insert into budget_access_log (budget_id, clinic_id, seq, at, action, success, actor, ip_hash, user_agent, detail, prev_hash, hash)
    select id, clinic_id, n, sent_at + n * interval '2 hours', (array['link_sent','verify','viewed'])[n], true, case when n = 1 then 'staff' else 'patient' end, 'hash of the address', 'Mozilla/5.0 (a phone)', '{}',
      case when n > 1 then sha256(n::text::bytea) end, sha256(n::text::bytea) from budget, generate_series(1, 3) n where status <> 'draft'`
  },
  {
    what: 'counts and numbers',
    run: async (sql) => {
      await sql`insert into budget_count (clinic_id, status, n) select clinic_id, status, count(*) from budget group by 1, 2`
      await sql`insert into budget_count (clinic_id, status, n) select clinic_id, state, n from share, (values ('draft', 1), ('draft', -1), ('sent', 1), ('sent', -1)) as moved (state, n) where rank % 4 = 0`
      await sql`insert into budget_number (clinic_id, year, last) select clinic_id, year, budgets from share, generate_series(extract(year from now())::int - 3, extract(year from now())::int) year`
    }
  }
]
