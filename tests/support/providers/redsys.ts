import { createCipheriv, createHmac, randomInt } from 'node:crypto'
import { CARD, json, page, startStandIn, type Answer, type Forgery, type Order, type Protocol, type Refund, type Seen, type World } from './stand-in.ts'

export const REDSYS_KEY = 'sq7HjrUOBfKmC576ILgskD5srU870gJ7' // the public one of Redsys' test environment
const MERCHANT = '999008881'
const TERMINAL = '1'

/**
 * Redsys: the page to which the browser posts a signed order, signed notifications, refunds by `trataPeticionREST`,
 * and the SOAP service that is asked about an order.
 */
export async function aRedsys() {
  const standIn = await startStandIn(createProtocol)
  return {
    ...standIn,
    settings: {
      provider: 'redsys' as const,
      mode: 'test' as const,
      redsys_test_host: standIn.url,
      redsys_test_key: REDSYS_KEY,
      redsys_merchant: MERCHANT,
      redsys_terminal: TERMINAL
    }
  }
}

const CURRENCIES: Record<string, string> = { 978: 'EUR', 392: 'JPY', 48: 'BHD', 840: 'USD' }
const numOf = (code: string) => Object.entries(CURRENCIES).find(([, name]) => name === code)![0]

/** HMAC_SHA256_V1 (Redsys, “Manual de integración para comercios por redirección”). */
export function sign(key: string, order: string, message: string): string {
  const padded = Buffer.alloc(Math.ceil(order.length / 8) * 8)
  padded.write(order)
  const cipher = createCipheriv('des-ede3-cbc', Buffer.from(key, 'base64'), Buffer.alloc(8)).setAutoPadding(false)
  return createHmac('sha256', Buffer.concat([cipher.update(padded), cipher.final()])).update(message).digest('base64')
}

const encode = (fields: object) => Buffer.from(JSON.stringify(fields)).toString('base64')
const urlSafe = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_')

function createProtocol({ orders }: World): Protocol {
  const protocol: Protocol = {
    name: 'redsys',
    pageOf: ({ ref }) => `/sis/pago/${ref}`,
    returnOf: ({ state, return_url, cancel_url }) => state === 'paid' ? return_url : cancel_url,
    answer(call) {
      if (call.path === '/sis/realizarPago') return openPage(new URLSearchParams(call.body))
      if (call.path === '/sis/rest/trataPeticionREST') return treat(JSON.parse(call.body))
      if (call.path === '/apl02/services/SerClsWSConsulta') return query(call)
      return { status: 404 }
    },
    webhook: (order, forgery) => notificationOf(order, forgery)
  }

  /** The fields of a signed message; a text is the error. */
  function read(message: Record<string, string | undefined>): Record<string, string> | string {
    const encoded = message.Ds_MerchantParameters ?? ''
    const fields = JSON.parse(Buffer.from(encoded, 'base64').toString()) as Record<string, string>
    const order = fields.DS_MERCHANT_ORDER ?? ''
    if (fields.DS_MERCHANT_MERCHANTCODE !== MERCHANT || fields.DS_MERCHANT_TERMINAL !== TERMINAL) return 'SIS0026'
    if (order.length < 4 || order.length > 12) return 'SIS0075'
    if (!/^\d{4}[0-9A-Z]*$/i.test(order)) return 'SIS0077'
    const isSigned = message.Ds_SignatureVersion === 'HMAC_SHA256_V1' && message.Ds_Signature === sign(REDSYS_KEY, order, encoded)
    if (!isSigned) return 'SIS0042'
    return CURRENCIES[fields.DS_MERCHANT_CURRENCY!] ? fields : 'SIS0027'
  }

  function openPage(form: URLSearchParams): Answer {
    const fields = read(Object.fromEntries(form))
    if (typeof fields === 'string') return errorPage(fields)
    const ref = fields.DS_MERCHANT_ORDER!
    const known = orders.get(ref)
    if (known && known.state !== 'open') return errorPage('SIS0051')
    const order: Order = known ?? {
      ref,
      attempt_id: fields.DS_MERCHANT_MERCHANTDATA ?? '',
      amount: BigInt(fields.DS_MERCHANT_AMOUNT!),
      currency: CURRENCIES[fields.DS_MERCHANT_CURRENCY!]!,
      return_url: fields.DS_MERCHANT_URLOK!,
      cancel_url: fields.DS_MERCHANT_URLKO!,
      webhook_url: fields.DS_MERCHANT_MERCHANTURL!,
      state: 'open',
      charges: [],
      refunds: []
    }
    orders.set(ref, order)
    return page(protocol, order)
  }

  function treat(message: Record<string, string>): Answer {
    const fields = read(message)
    if (typeof fields === 'string') return json(200, { errorCode: fields })
    if (fields.DS_MERCHANT_TRANSACTIONTYPE !== '3') return json(200, { errorCode: 'SIS0030' })
    const order = orders.get(fields.DS_MERCHANT_ORDER!)
    if (!order || order.state !== 'paid') return json(200, { errorCode: 'SIS0054' })
    const amount = BigInt(fields.DS_MERCHANT_AMOUNT!)
    if (amount > sum(order.charges) - sum(order.refunds)) return json(200, { errorCode: 'SIS0057' })
    const refund: Refund = { id: String(randomInt(100_000, 999_999)), amount, state: 'done', metadata: {} }
    order.refunds.push(refund)
    const answer = encode({
      Ds_Amount: String(amount),
      Ds_Currency: numOf(order.currency),
      Ds_Order: order.ref,
      Ds_MerchantCode: MERCHANT,
      Ds_Terminal: TERMINAL,
      Ds_Response: '0900',
      Ds_AuthorisationCode: refund.id,
      Ds_TransactionType: '3',
      Ds_SecurePayment: '0',
      Ds_Language: '1',
      Ds_Card_Number: `${CARD.slice(0, 6)}******${CARD.slice(-4)}`
    })
    return json(200, {
      Ds_SignatureVersion: 'HMAC_SHA256_V1',
      Ds_MerchantParameters: answer,
      Ds_Signature: urlSafe(sign(REDSYS_KEY, order.ref, answer))
    })
  }

  function query({ body, headers }: Seen): Answer {
    const [, message = '', signature] = /<Messages>(<Version.*<\/Version>)<Signature>(.*)<\/Signature>/.exec(body) ?? []
    const field = (name: string) => new RegExp(`<${name}>(.*?)</${name}>`).exec(message)?.[1] ?? ''
    const ref = field('Ds_Order')
    if (headers.soapaction !== 'consultaOperaciones') return { status: 500, body: '<fault/>' }
    if (signature !== sign(REDSYS_KEY, ref, message)) return soap(failureOf('XML0023'))
    if (field('Ds_MerchantCode') !== MERCHANT || field('Ds_Terminal') !== TERMINAL) return soap(failureOf('XML0028'))
    const order = orders.get(ref)
    const lines = order ? field('Ds_TransactionType') === '3' ? refundLines(order) : [paymentLine(order)] : []
    if (lines.length === 0) return soap(failureOf('XML0024'))
    const answer = `<Version Ds_Version="0.0"><Message>${lines.join('')}</Message></Version>`
    return soap(`<Messages>${answer}<Signature>${sign(REDSYS_KEY, ref, answer)}</Signature></Messages>`)
  }

  return protocol
}

const errorPage = (code: string): Answer =>
  ({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: `<!doctype html><title>redsys</title><p>Error ${code}</p>` })

const sum = (parts: { amount: bigint, state?: string }[]) =>
  parts.filter(({ state }) => state !== 'failed').reduce((total, { amount }) => total + amount, 0n)

/** Day and minute in Spain. */
function timeOf(at: Date) {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Madrid', dateStyle: 'short', timeStyle: 'short' })
    .format(at).split(', ')
  return { date: parts[0]!, hour: parts[1]! }
}

const RESPONSES = { paid: '0000', failed: '0190', cancelled: '9915', open: '9998' }

function notificationOf(order: Order, forgery: Forgery) {
  const at = new Date(Date.now() - (forgery === 'old' ? 601_000 : 0))
  const { date, hour } = timeOf(at)
  const isPaid = order.state === 'paid'
  const fields = encode({
    Ds_Date: encodeURIComponent(date),
    Ds_Hour: encodeURIComponent(hour),
    Ds_SecurePayment: '1',
    Ds_Amount: String(isPaid ? sum(order.charges) : order.amount),
    Ds_Currency: numOf(order.currency),
    Ds_Order: order.ref,
    Ds_MerchantCode: MERCHANT,
    Ds_Terminal: `00${TERMINAL}`,
    Ds_Response: RESPONSES[order.state],
    Ds_TransactionType: '0',
    Ds_MerchantData: encodeURIComponent(order.attempt_id),
    Ds_AuthorisationCode: isPaid ? '501602' : '++++++',
    Ds_ConsumerLanguage: '1',
    Ds_Card_Country: '724',
    Ds_Card_Brand: '1',
    Ds_Card_Number: `${CARD.slice(0, 6)}******${CARD.slice(-4)}`,
    Ds_ProcessedPayMethod: '78'
  })
  const key = forgery === 'forged' ? 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYX' : REDSYS_KEY
  const body = new URLSearchParams({
    Ds_SignatureVersion: 'HMAC_SHA256_V1',
    Ds_MerchantParameters: urlSafe(fields),
    Ds_Signature: urlSafe(sign(key, order.ref, urlSafe(fields)))
  })
  return { url: order.webhook_url, headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: body.toString() }
}

function paymentLine(order: Order): string {
  const [charge] = order.charges
  return lineOf(order, {
    Ds_TransactionType: '0',
    Ds_Amount: String(charge ? sum(order.charges) : order.amount),
    Ds_State: order.state === 'open' ? 'S' : 'F',
    Ds_Response: RESPONSES[order.state],
    Ds_AuthorisationCode: charge ? '501602' : '',
    at: charge?.at ?? new Date()
  })
}

const refundLines = (order: Order): string[] => order.refunds.map(({ amount, id }) => lineOf(order, {
  Ds_TransactionType: '3',
  Ds_Amount: String(amount),
  Ds_State: 'F',
  Ds_Response: '0900',
  Ds_AuthorisationCode: id,
  at: new Date()
}))

function lineOf({ ref, currency }: Order, { at, ...fields }: { at: Date } & Record<`Ds_${string}`, string>): string {
  const { date, hour } = timeOf(at)
  const all = {
    Ds_MerchantCode: MERCHANT,
    Ds_Terminal: TERMINAL,
    Ds_Order: ref,
    Ds_Date: date.split('/').reverse().join('-'),
    Ds_Hour: `${hour}:00`,
    Ds_Currency: numOf(currency),
    Ds_CardNumber: `${CARD.slice(0, 6)}******${CARD.slice(-4)}`,
    Ds_SecurePayment: '1',
    ...fields
  }
  const content = Object.entries(all).map(([name, value]) => `<${name}>${value}</${name}>`).join('')
  return `<Response Ds_Version="0.0">${content}</Response>`
}

const failureOf = (code: string) =>
  `<Messages><Version Ds_Version="0.0"><Message><ErrorMsg><Ds_ErrorCode>${code}</Ds_ErrorCode></ErrorMsg></Message></Version></Messages>`

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const soap = (inner: string): Answer => ({
  status: 200,
  headers: { 'content-type': 'text/xml;charset=utf-8' },
  body: '<?xml version="1.0" encoding="utf-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/">'
    + '<soapenv:Body><p231:consultaOperacionesResponse xmlns:p231="http://webservices.apl02.redsys.es">'
    + `<consultaOperacionesReturn>${escaped(inner)}</consultaOperacionesReturn>`
    + '</p231:consultaOperacionesResponse></soapenv:Body></soapenv:Envelope>'
})
