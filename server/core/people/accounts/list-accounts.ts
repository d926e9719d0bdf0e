import type { Sql } from 'postgres'

/** For the operator's lists, without hashes and secrets. Uses only postgres.js, because drizzle is slow to load. */
export interface Account {
  id: string
  email: string
  first_name: string
  last_name: string
  instance_admin: boolean
  /** True if there is no password yet. */
  invited: boolean
  memberships: { clinic_id: string, clinic: string, role: string, active: boolean }[]
  /** ISO 8601, UTC. */
  created_at: string
}

const instant = (sql: Sql, column: string) =>
  sql`to_char(${sql(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

export async function listAccounts(sql: Sql): Promise<Account[]> {
  return await sql<Account[]>`
    select u.id::text, u.email, u.first_name, u.last_name, u.instance_admin, u.password_hash is null as invited, ${instant(sql, 'u.created_at')} as created_at,
      coalesce((select jsonb_agg(jsonb_build_object('clinic_id', c.id, 'clinic', c.name, 'role', m.role, 'active', m.active) order by c.name, c.id)
        from core_membership m join core_clinic c on c.id = m.clinic_id where m.user_id = u.id), '[]') as memberships
    from core_user u order by u.email`
}

export interface ClinicItem {
  id: string
  name: string
  currency: string
  time_zone: string
  locale: string
  /** Active ones. */ members: number
  created_at: string
}

export async function listClinics(sql: Sql): Promise<ClinicItem[]> {
  return await sql<ClinicItem[]>`
    select c.id::text, c.name, c.currency, c.time_zone, c.locale, ${instant(sql, 'c.created_at')} as created_at,
      (select count(*)::int from core_membership m where m.clinic_id = c.id and m.active) as members
    from core_clinic c order by c.name, c.id`
}

export interface TokenItem {
  id: string
  name: string | null
  scope: string
  state: 'active' | 'expired' | 'revoked'
  created_at: string
  expires_at: string | null
}

export async function listTokens(sql: Sql): Promise<TokenItem[]> {
  return await sql<TokenItem[]>`
    select t.id::text, t.name, t.scope, ${instant(sql, 't.created_at')} as created_at, ${instant(sql, 't.expires_at')} as expires_at,
      case when t.revoked_at is not null then 'revoked' when t.expires_at <= now() then 'expired' else 'active' end as state
    from core_token t order by t.created_at, t.id`
}
