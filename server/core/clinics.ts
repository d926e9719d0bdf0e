import { eq, sql } from 'drizzle-orm'
import { problem, type Clinic, type Ctx, type Db } from '@svc/kit'
import type { Config } from './config.ts'
import { rowsOf } from './db/rows.ts'
import { coreClinic } from './db/schema.ts'

type Row = Omit<Clinic, 'logo_url'> & { logo_version: number | null }

/** `get` throws `not_found`. */
export function createClinics(db: Db, config: Pick<Config, 'base_url'>): Ctx['clinics'] {
  return {
    async get(id, tx = db) {
      const [row] = await rowsOf<Row>(tx, sql`
        select id::text, name, address, phone, email, accent_color, currency, time_zone, locale, budget_validity_days, ip_policy,
               case when logo is not null then version end as logo_version
        from core_clinic where id = ${id}::uuid`)
      if (!row) throw problem('not_found')
      const { logo_version, ...clinic } = row
      return { ...clinic, logo_url: logo_version === null ? null : logoUrl(config.base_url, id, logo_version) }
    },
    async logo(id) {
      const [row] = await db.select({ bytes: coreClinic.logo, type: coreClinic.logo_type }).from(coreClinic).where(eq(coreClinic.id, id))
      return row?.bytes && (row.type === 'image/png' || row.type === 'image/jpeg') ? { type: row.type, bytes: row.bytes } : null
    }
  }
}

/** The version makes the address new with each change, so that the picture may be cached. */
export const logoUrl = (base: string, id: string, version: number) => `${base}/api/v1/public/clinics/${id}/logo?v=${version}`
