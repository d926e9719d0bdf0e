import type { Ctx } from '@svc/kit'
import { getResponseCodeMessage, isResponseCodeOk, LANGUAGES, TRANSACTION_TYPES, type ResponseJSONSuccess } from 'redsys-easy'
import type { PaymentSettings } from '../../../shared/settings.ts'
import { attemptIn, callForRefund, callProvider, testConnection } from '../call-provider.ts'
import type { CheckoutOrder, Provider, RefundAnswer, RefundOrder } from '../provider.ts'
import { callOf, createApi, isKey, merchantOf, orderOf } from './merchant.ts'
import { queryOperations } from './query.ts'
import { fromRedsys, readFields, readOperations, readTime, toRedsys, type Fields } from './status.ts'

const TOLERANCE_MS = 5 * 60_000

/** The page of Spanish banks, for cards and Bizum. Which of them it offers is set at the bank, for the terminal. */
export const redsys: Provider = {
  name: 'redsys',

  missing({ mode, ...settings }) {
    return (['redsys_merchant', 'redsys_terminal', `redsys_${mode}_key`] as const).filter(field => settings[field] === null)
  },

  /** Nothing is called: the browser posts the signed order. */
  async createCheckout(ctx, settings, order) {
    const merchant = merchantOf(settings)
    const money = toRedsys(order.amount, order.currency)
    if (money === null) throw refused(ctx, `Redsys can’t take this amount in ${order.currency}.`)
    if (!isKey(merchant.key)) throw refused(ctx, 'The key of Redsys isn’t valid.')
    const ref = orderOf(order.attempt_id)
    const { url, body } = createApi(ctx, merchant).createRedirectForm({
      DS_MERCHANT_TRANSACTIONTYPE: TRANSACTION_TYPES.AUTHORIZATION,
      DS_MERCHANT_MERCHANTCODE: merchant.code,
      DS_MERCHANT_TERMINAL: merchant.terminal,
      DS_MERCHANT_ORDER: ref,
      DS_MERCHANT_AMOUNT: money.amount,
      DS_MERCHANT_CURRENCY: money.num as '978',
      DS_MERCHANT_MERCHANTDATA: order.attempt_id,
      ...pageOf(order)
    })
    return { ref, redirect: { kind: 'form', url, fields: { ...body } } }
  },

  async readWebhook(ctx, settings, { bytes }) {
    const merchant = merchantOf(settings)
    const fields = readNotification(ctx, settings, bytes)
    const isOurs = Number(fields.Ds_MerchantCode) === Number(merchant.code)
      && Number(fields.Ds_Terminal) === Number(merchant.terminal)
    if (!isOurs || fields.Ds_TransactionType !== TRANSACTION_TYPES.AUTHORIZATION) throw ctx.problem('signature_wrong')
    // The only time in it is that of the payment. A report that comes later than five minutes is a reason to ask.
    const at = readTime(fields)
    const isFresh = at !== null && Math.abs((await ctx.clock.now()).getTime() - at.getTime()) <= TOLERANCE_MS
    return {
      attempt_id: attemptIn(fields.Ds_MerchantData),
      ref: fields.Ds_Order ?? null,
      status: isFresh ? readFields(fields) : null
    }
  },

  async getStatus(ctx, settings, { ref }) {
    return readOperations(await callProvider(ctx, callOf(settings), () =>
      queryOperations(ctx, merchantOf(settings), { order: ref, type: '0' })))
  },

  refund(ctx, settings, order) {
    return callForRefund(ctx, callOf(settings), async () =>
      await findRefund(ctx, settings, order) ?? await createRefund(ctx, settings, order))
  },

  async test(ctx, settings) {
    const merchant = merchantOf(settings)
    if (redsys.missing(settings).length > 0) return { ok: false, code: 'no_key', detail: null }
    if (!isKey(merchant.key)) return { ok: false, code: 'wrong_key', detail: null }
    // Asking for an order that never existed is answered with “no operations”.
    return await testConnection({ ...callOf(settings), live: settings.mode === 'live' }, () =>
      queryOperations(ctx, merchant, { order: '0000test', type: '0' }))
  }
}

const refused = (ctx: Ctx, detail: string) => ctx.problem('provider_refused', { detail })

function pageOf({ description, locale, return_url, webhook_url }: CheckoutOrder) {
  const [language = ''] = locale.split('-')
  return {
    DS_MERCHANT_PRODUCTDESCRIPTION: description.slice(0, 125),
    DS_MERCHANT_MERCHANTURL: webhook_url,
    DS_MERCHANT_URLOK: return_url,
    DS_MERCHANT_URLKO: return_url,
    // The page has no Arabic.
    DS_MERCHANT_CONSUMERLANGUAGE: (LANGUAGES as Record<string, '1' | undefined>)[language] ?? LANGUAGES.en
  }
}

/** The signed fields of a notification; some of their values are URL-encoded. */
function readNotification(ctx: Ctx, settings: PaymentSettings, bytes: Uint8Array): Fields {
  const form = Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes)))
  try {
    const api = createApi(ctx, merchantOf(settings))
    return api.processRedirectNotification(form as unknown as ResponseJSONSuccess) as unknown as Fields
  } catch {
    // Also for a key that isn't set, and for what isn't a notification at all.
    throw ctx.problem('signature_wrong')
  }
}

/**
 * Redsys has no idempotency keys, and its refunds no name of ours. So it is asked what it has paid back of this order:
 * if that is more than we know of by this refund, the refund was made by an earlier call whose answer was lost.
 */
async function findRefund(ctx: Ctx, settings: PaymentSettings, order: RefundOrder): Promise<RefundAnswer | null> {
  const operations = await queryOperations(ctx, merchantOf(settings), { order: order.ref, type: '3' })
  const done = operations.filter(({ Ds_State, Ds_Response }) =>
    (Ds_State === undefined || Ds_State === 'F') && isResponseCodeOk(Ds_Response?.trim() || '-1'))
  const sum = done.reduce((total, fields) => total + (fromRedsys(fields)?.amount ?? 0n), 0n)
  if (sum < order.refunded_before + order.amount) return null
  return { state: 'done', refund_ref: done.at(-1)?.Ds_AuthorisationCode?.trim() || null, reason: null }
}

async function createRefund(ctx: Ctx, settings: PaymentSettings, order: RefundOrder): Promise<RefundAnswer> {
  const merchant = merchantOf(settings)
  const money = toRedsys(order.amount, order.currency)
  if (money === null)
    return { state: 'refused', refund_ref: null, reason: `Redsys can’t refund this amount in ${order.currency}.` }
  const { Ds_Response, Ds_AuthorisationCode } = await createApi(ctx, merchant).restTrataPeticion({
    DS_MERCHANT_TRANSACTIONTYPE: TRANSACTION_TYPES.AUTO_REFUND,
    DS_MERCHANT_MERCHANTCODE: merchant.code,
    DS_MERCHANT_TERMINAL: merchant.terminal,
    DS_MERCHANT_ORDER: order.ref,
    DS_MERCHANT_AMOUNT: money.amount,
    DS_MERCHANT_CURRENCY: money.num as '978'
  })
  if (!isResponseCodeOk(Ds_Response ?? '-1')) return { state: 'refused', refund_ref: null, reason: reasonOf(Ds_Response) }
  return { state: 'done', refund_ref: Ds_AuthorisationCode?.trim() || null, reason: null }
}

const reasonOf = (code: string | undefined): string | null =>
  [code, getResponseCodeMessage(code ?? '')].filter(Boolean).join(' ') || null
