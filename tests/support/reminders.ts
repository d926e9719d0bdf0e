import type { Instance } from './instance.ts'

/** Sets the time at which the clinic's reminders were switched on, or got other days. */
export const ageReminders = ({ sql, clinic }: Instance, since: string) => sql`
  update core_module_setting
  set changed_at = (
    select coalesce(jsonb_object_agg(name, to_char((now() - ${since}::interval) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), '{}')
    from jsonb_object_keys(changed_at) as name)
  where module = 'budget' and clinic_id = ${clinic.id}`
