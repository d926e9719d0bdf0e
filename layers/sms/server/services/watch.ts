import type { Ctx, Finding, Gauge } from '@svc/kit'
import { listFailing, type FailingRow } from '../db/failing.ts'
import { countByState, listStuck } from '../db/messages.ts'
import { CHANNELS, STATES } from '../../shared/contract.ts'

const FAILING_MS = 15 * 60_000

/** For the doctor: providers that don't answer as they should, and messages that wait for an hour or more. */
export async function findTrouble(ctx: Ctx): Promise<Finding[]> {
  const [now, failing, stuck] = [await ctx.clock.now(), await listFailing(ctx.db), await listStuck(ctx.db)]
  const names = new Map((await ctx.clinics.list()).map(({ id, name }) => [id, name]))
  const nameOf = (clinic_id: string) => names.get(clinic_id) ?? clinic_id
  const isLong = ({ since }: FailingRow) => now.getTime() - since.getTime() >= FAILING_MS
  return [
    ...failing.filter(isLong).map(({ clinic_id, since, error }): Finding => ({
      code: 'sms_provider_failing',
      object: nameOf(clinic_id),
      message: `The provider of text messages has accepted none since ${since.toISOString()} (${error}).`,
      fix: 'Test the connection under Settings, and check account, key and address of the provider.'
    })),
    ...stuck.map(({ clinic_id, n, since }): Finding => ({
      code: 'sms_messages_stuck',
      object: nameOf(clinic_id),
      message: `${n} text messages wait to be sent, the oldest since ${new Date(since).toISOString()}.`,
      fix: 'Test the connection under Settings. Waiting messages are sent automatically once the provider accepts them.'
    }))
  ]
}

/** Without numbers, names or clinics. */
export async function measure(ctx: Ctx): Promise<Gauge[]> {
  const [counts, failing, stuck] = [await countByState(ctx.db), await listFailing(ctx.db), await listStuck(ctx.db)]
  const countOf = (channel: string, state: string) =>
    counts.find(row => row.channel === channel && row.state === state)?.n ?? 0
  return [
    ...CHANNELS.flatMap(channel => STATES.map(state => ({
      name: 'messages_last_day',
      help: 'Messages of the last 24 hours, by channel and state.',
      value: countOf(channel, state),
      labels: { channel, state }
    }))),
    { name: 'providers_failing', help: 'Clinics whose provider accepts no messages now.', value: failing.length },
    {
      name: 'messages_stuck',
      help: 'Messages that have been waiting for an hour or longer.',
      value: stuck.reduce((sum, { n }) => sum + n, 0)
    }
  ]
}
