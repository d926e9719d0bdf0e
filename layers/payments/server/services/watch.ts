import type { Ctx, Finding, Gauge } from '@svc/kit'
import { REQUEST_STATES } from '../../shared/domain/request-state.ts'
import {
  countAll, countWaiting, listOpenRefunds, listSilent, listStuck, listUnrecorded, listUnrecordedRefunds,
  type WatchedRefund
} from '../db/watch.ts'

/** For `svc modules doctor`. Nothing here names a person, an amount or a key. */
export async function findFaults(ctx: Ctx): Promise<Finding[]> {
  const [stuck, unrecorded, silent, refunds, unrecordedRefunds] = await Promise.all([
    listStuck(ctx.db),
    listUnrecorded(ctx.db),
    listSilent(ctx.db),
    listOpenRefunds(ctx.db),
    listUnrecordedRefunds(ctx.db)
  ])
  return [
    ...stuck.map(({ id, reference, provider }) => ({
      code: 'payment_stuck',
      object: reference,
      message: `${provider} has not decided attempt ${id} for three days, and is no longer asked.`,
      fix: 'Look the payment up at the provider. Cancel the request, or mark it as paid.',
      advice: true
    })),
    ...unrecorded.map(({ id, reference }) => ({
      code: 'payment_unrecorded',
      object: reference,
      message: `Attempt ${id} is paid, but billing has no advance of it.`,
      fix: 'The log has the reason (job record_advance). It is retried automatically.'
    })),
    ...silent.map(({ clinic_id, provider, attempts }) => ({
      code: 'payment_provider_silent',
      object: clinic_id,
      message: `${provider} has not answered for an hour; ${attempts} attempts wait.`,
      fix: 'Test the connection in the settings of payments, and check the network of this server.'
    })),
    ...refunds.map(describeRefund),
    ...unrecordedRefunds.map(({ id, reference }) => ({
      code: 'payment_refund_unrecorded',
      object: reference,
      message: `Refund ${id} is done, but billing has no return of it.`,
      fix: 'Compare it with the returns of the advance: the same money may have been returned by hand.',
      advice: true
    }))
  ]
}

const describeRefund = ({ id, reference, state }: WatchedRefund): Finding => state === 'pending'
  ? {
      code: 'payment_refund_pending',
      object: reference,
      message: `The provider has worked on refund ${id} for three days. It is asked once a day.`,
      fix: 'Look the refund up at the provider.',
      advice: true
    }
  : {
      code: 'payment_refund_open',
      object: reference,
      message: `The provider has not answered refund ${id} for an hour.`,
      fix: 'Test the connection in the payment settings. The refund is retried automatically.'
    }

export async function measure(ctx: Ctx): Promise<Gauge[]> {
  const [states, waiting] = await Promise.all([countAll(ctx.db), countWaiting(ctx.db)])
  return [
    ...REQUEST_STATES.map(state => ({
      name: 'requests',
      help: 'Payment requests by state.',
      value: states.find(row => row.state === state)?.n ?? 0,
      labels: { state }
    })),
    { name: 'attempts_waiting', help: 'Attempts about which the provider is asked.', value: waiting.pending },
    { name: 'attention', help: 'Payment requests that need attention.', value: waiting.attention }
  ]
}
