import { inject } from 'vitest'
import { readConfig } from '../../../server/core/config.ts'
import { openDatabase } from '../../../server/core/db/client.ts'
import { createSecrets } from '../../../server/core/secrets.ts'
import { SECRET } from './built-server.ts'
import { createCaller } from '../caller.ts'
import type { Instance } from '../instance.ts'
import { root } from '../modules/official.ts'
import { createPeople, type Role } from '../people.ts'

/** The part of an instance that a separate process can offer; the builders need no more. */
export type Built = Pick<
  Instance,
  'url' | 'sql' | 'clinic' | 'as' | 'anonymous' | 'anotherClinic' | 'storage' | 'close'
> & {
  /** What a browser's cookie `svc_session` holds when that person is logged in. */ session(
    role: Role,
    at?: { id: string }
  ): Promise<string>
}

/** The shared built server, or one for this test alone, with a clinic for this file alone. */
export async function aBuiltInstance({ url, databaseUrl, storage } = inject('built')): Promise<Built> {
  const config = readConfig({ DATABASE_URL: databaseUrl, SVC_STORAGE: storage, SVC_SECRET: SECRET }, root)
  const database = await openDatabase(config, { max: 2, name: 'test' })
  const people = createPeople(() => ({ db: database.db, secrets: createSecrets(config) }), url)
  const clinic = await people.clinic('Clínica Peñalver')
  return {
    url,
    storage,
    sql: database.connect({ max: 2, name: 'test' }),
    clinic,
    as: (role, at = clinic) => people.member(role, at),
    session: (role, at = clinic) => people.session(role, at),
    anonymous: () => createCaller(url),
    anotherClinic: () => people.clinic('Another Clinic'),
    close: () => database.close()
  }
}
