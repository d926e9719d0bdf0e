import { eq, sql } from 'drizzle-orm'
import { problem, type Clinic, type Ctx } from '@svc/kit'
import type { Database } from '../db/client.ts'
import { drawableLogo } from './logo.ts'
import type { Config } from '../config.ts'
import { preparedRowsOf, rowsOf } from '../db/rows.ts'
import { coreClinic } from '../db/schema.ts'
import { shared } from '../db/shared-reads.ts'
import type { Picture } from './images.ts'

type Row = Omit<Clinic, 'logo_url'> & { logo_version: number | null }

const COLUMNS = sql.raw(`
  id::text, name, address, phone, email, accent_color, country, legal_name, tax_number, registration, insurer, currency, time_zone, locale, prices_include_tax, ip_policy, notify_decisions, retention,
  case when logo is not null then version end as logo_version`)

const find = (id: string) => sql`select ${COLUMNS} from core_clinic where id = ${id}::uuid`

/** `get` throws `not_found`. */
export function createClinics(
  { db, sql: client }: Pick<Database, 'db' | 'sql'>,
  config: Pick<Config, 'base_url'>
): Ctx['clinics'] {
  const toClinic = ({ logo_version, ...row }: Row): Clinic => ({
    ...row,
    logo_url: logo_version === null ? null : logoUrl(config.base_url, row.id, logo_version)
  })
  const readTogether = shared(async id => (await preparedRowsOf<Row>(client, find(id)))[0])
  return {
    async get(id, tx) {
      const row = tx ? (await rowsOf<Row>(tx, find(id)))[0] : await readTogether(id)
      if (!row) throw problem('not_found')
      return toClinic(row)
    },
    async list() {
      return (await rowsOf<Row>(db, sql`select ${COLUMNS} from core_clinic order by id`)).map(toClinic)
    },
    async logo(id) {
      const [row] = await db
        .select({ bytes: coreClinic.logo, type: coreClinic.logo_type })
        .from(coreClinic)
        .where(eq(coreClinic.id, id))
      if (!row?.bytes) return null
      const drawable = await drawableLogo({ type: row.type as Picture['type'], bytes: row.bytes })
      return 'bytes' in drawable ? drawable : null // the doctor reports the reason
    }
  }
}

/** The version changes the URL with each change of the logo, so that the picture can be cached. */
export const logoUrl = (base: string, id: string, version: number) =>
  `${base}/api/v1/public/clinics/${id}/logo?v=${version}`
