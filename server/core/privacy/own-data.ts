import { sql, type SQL } from 'drizzle-orm'
import type { Db, Json, Person } from '@svc/kit'
import { rowsOf } from '../db/rows.ts'
import type { Registry } from '../host.ts'

// The core's own rows about a person: its events are those whose payload names the person as `patient_id`.

/**
 * Members of a payload that contain a person's words or name, besides those that manifests name (`personal`). All
 * others are ids, codes, amounts and instants.
 */
const WORDS = [
  'reason',
  'message',
  'note',
  'notes',
  'text',
  'subject',
  'email',
  'phone',
  'to',
  'name',
  'first_name',
  'last_name'
]
/** Ids that are in jobs about many people. */
const SHARED_IDS = ['clinic_id', 'user_id', 'event_id']

/** What the running modules declare of members with people in them. */
export interface PersonalMembers { words: string[], shared_ids: string[] }

export function personalMembers({ modules }: Registry): PersonalMembers {
  const members = modules.flatMap(({ manifest }) => manifest.personal.members)
  const isId = (member: string) => member.endsWith('_id')
  return {
    words: [...WORDS, ...members.filter(member => !isId(member))],
    shared_ids: [...SHARED_IDS, ...members.filter(isId)]
  }
}

const listed = (names: string[]) => sql`(select jsonb_array_elements_text(${JSON.stringify(names)}::text::jsonb))`
const withoutWords = (payload: SQL, words: string[]) => sql`(${payload} - array${listed(words)})`
const hasWords = (payload: SQL, words: string[]) =>
  sql`(jsonb_typeof(${payload}) = 'object' and ${payload} ?| array${listed(words)})`

/** A person, and which members of payloads are about people. */
type PersonScope = Person & { members: PersonalMembers }

const eventsAbout = ({ clinic_id, id }: Person) =>
  sql`select id, payload from core_event where clinic_id = ${clinic_id}::uuid and payload->>'patient_id' = ${id}`

export interface OwnEvent { [member: string]: Json, name: string, occurred_at: string, payload: Json }

export async function listEventsAbout(db: Db, { clinic_id, id }: Person): Promise<OwnEvent[]> {
  return await rowsOf<OwnEvent>(db, sql`
    select name, to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as occurred_at, payload
    from core_event where clinic_id = ${clinic_id}::uuid and payload->>'patient_id' = ${id} order by seq`)
}

/**
 * Waits for running handlers of the person's events and jobs, and makes new ones wait until the transaction ends: a
 * handler that has read the name before could write it again afterwards. Called before any row is locked, so that no
 * handler waits for this transaction meanwhile.
 */
export async function holdLines(tx: Db, person: PersonScope, seconds: number): Promise<void> {
  await rowsOf(tx, sql`select set_config('lock_timeout', ${`${seconds}s`}, true)`)
  await rowsOf(tx, sql`
    select pg_advisory_xact_lock(hashtextextended('svc-line:' || module_name || ':' || line, 0)) from (
      select distinct module_name, line from core_delivery where status = 'pending' and ${isAbout(person, [])} order by 1, 2) as held`)
  await rowsOf(tx, sql`select set_config('lock_timeout', '0', true)`)
}

/**
 * Ids in jobs about the person, including those of earlier messages (`MailMessage.id`). The other ids match no message.
 */
export async function listIdsInJobs(tx: Db, person: PersonScope): Promise<string[]> {
  const rows = await rowsOf<{ value: string }>(tx, sql`
    select distinct member.value from core_delivery, jsonb_each_text(case when jsonb_typeof(payload) = 'object' then payload else '{}' end) as member (name, value)
    where kind = 'job' and ${isAbout(person, [])} and member.value ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`)
  return rows.map(({ value }) => value)
}

export interface EmptiedRows { what: string, count: number }

/**
 * `ids` are ids of messages. A payload keeps its ids, so that a delivery that is still due finds nothing left to do.
 */
export async function emptyOwnRows(tx: Db, person: PersonScope, ids: string[]): Promise<EmptiedRows[]> {
  const { words } = person.members
  const changes: [what: string, statement: SQL][] = [
    ['words in events', sql`update core_event set payload = ${withoutWords(sql`payload`, words)} where id in (select id from (${eventsAbout(person)}) as about) and ${hasWords(sql`payload`, words)} returning 1`],
    ['words in jobs', sql`update core_delivery set payload = ${withoutWords(sql`payload`, words)} where kind = 'job' and ${isAbout(person, ids)} and ${hasWords(sql`payload`, words)} returning 1`],
    ['errors of deliveries', sql`update core_delivery set last_error = null where last_error is not null and ${isAbout(person, ids)} returning 1`],
    // Sealed: the person may be in any of them, also in the first line of a finished one, if it was taken for the
    // header.
    ['files to import', sql`delete from core_import where clinic_id = ${person.clinic_id}::uuid and state <> 'running' returning 1`],
    ['answers to webhooks', sql`
      update core_webhook_attempt set response_body = null where response_body is not null
        and delivery_id in (select delivery.id from core_webhook_delivery delivery join (${eventsAbout(person)}) as about on about.id = delivery.event_id) returning 1`]
  ]
  const emptied: EmptiedRows[] = []
  for (const [what, statement] of changes) emptied.push({ what, count: (await rowsOf(tx, statement)).length })
  return emptied.filter(({ count }) => count > 0)
}

/**
 * Deliveries of the person's events, and jobs that name the person, a message to them, or a record that their events
 * are about (both contain a budget's id).
 */
const isAbout = (person: PersonScope, ids: string[]) => sql`(
  event_id in (select id from (${eventsAbout(person)}) as about)
  or (kind = 'job' and exists (
    select from jsonb_each_text(case when jsonb_typeof(core_delivery.payload) = 'object' then core_delivery.payload else '{}' end) as member (name, value)
    where member.value = ${person.id} or member.value in ${listed(ids)}
      or member.value in (${subjectsOf(person)}))))`

/** Leaves out the clinic, the actor and other ids that many people share: jobs about others contain them too. */
const subjectsOf = (person: PersonScope) => sql`
  select subject.value from (${eventsAbout(person)}) as about, jsonb_each_text(about.payload) as subject (name, value)
  where subject.name like '%\\_id' and subject.name not in ${listed(person.members.shared_ids)}`
