import { createCipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import type { Ctx } from '@svc/kit'
import { createFetch } from '../call-provider.ts'
import { QueryError, type Merchant } from './merchant.ts'

/** A line of the query's answer, by the names that Redsys gives its fields (`Ds_State`, `Ds_Amount` …). */
export type Operation = Record<string, string>

/** `0`: the payment, `3`: its refunds. */
interface Query { order: string, type: '0' | '3' }

/** There are no operations of this kind. */
const NOTHING = 'XML0024'

/**
 * What Redsys has recorded of an order. `redsys-easy` has no query, and the REST interface that it calls has none
 * either: this is the operation `consultaOperaciones` of the SOAP service, message `Transaction`.
 */
export async function queryOperations(ctx: Ctx, merchant: Merchant, query: Query): Promise<Operation[]> {
  const answer = await createFetch(ctx)(`${merchant.host}/apl02/services/SerClsWSConsulta`, {
    method: 'POST',
    headers: { 'content-type': 'text/xml; charset=utf-8', 'soapaction': 'consultaOperaciones' },
    body: envelopeOf(merchant, query)
  })
  if (!answer.ok) throw new Error(`the query was answered with ${answer.status}`)
  return readAnswer(await answer.text(), { key: merchant.key, order: query.order })
}

/** All values consist of digits and letters, so there is nothing to escape. */
export function messageOf({ code, terminal }: Pick<Merchant, 'code' | 'terminal'>, { order, type }: Query): string {
  return '<Version Ds_Version="0.0"><Message><Transaction>'
    + `<Ds_MerchantCode>${code}</Ds_MerchantCode><Ds_Terminal>${terminal}</Ds_Terminal>`
    + `<Ds_Order>${order}</Ds_Order><Ds_TransactionType>${type}</Ds_TransactionType>`
    + '</Transaction></Message></Version>'
}

/** HMAC_SHA256_V1: the merchant's key encrypts the order, and the result is the key of this order's messages. */
export function sign(key: string, order: string, message: string): string {
  const text = Buffer.from(order)
  const padded = Buffer.concat([text, Buffer.alloc((8 - text.length % 8) % 8)])
  const cipher = createCipheriv('des-ede3-cbc', Buffer.from(key, 'base64'), Buffer.alloc(8)).setAutoPadding(false)
  const orderKey = Buffer.concat([cipher.update(padded), cipher.final()])
  return createHmac('sha256', orderKey).update(message).digest('base64')
}

function envelopeOf(merchant: Merchant, query: Query): string {
  const message = messageOf(merchant, query)
  return '<?xml version="1.0" encoding="UTF-8"?>'
    + '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:web="http://webservices.apl02.redsys.es">'
    + '<soapenv:Header/><soapenv:Body><web:consultaOperaciones><cadenaXML><![CDATA['
    + `<Messages>${message}<Signature>${sign(merchant.key, query.order, message)}</Signature>`
    + '<SignatureVersion>HMAC_SHA256_V1</SignatureVersion></Messages>'
    + ']]></cadenaXML></web:consultaOperaciones></soapenv:Body></soapenv:Envelope>'
}

/** The SOAP answer is a text that is XML again: flat elements, without attributes that matter. */
function readAnswer(soap: string, { key, order }: { key: string, order: string }): Operation[] {
  const inner = unescape(contentsOf(soap, 'consultaOperacionesReturn')[0] ?? '')
  const [code] = contentsOf(inner, 'Ds_ErrorCode')
  if (code === NOTHING) return []
  if (code !== undefined) throw new QueryError(code)
  assertSigned(inner, { key, order })
  return contentsOf(inner, 'Response').map(fieldsOf).filter(({ Ds_Order }) => Ds_Order === order)
}

function assertSigned(inner: string, { key, order }: { key: string, order: string }): void {
  const [message] = /<Version[\s>][\s\S]*<\/Version>/.exec(inner) ?? []
  const [signature] = contentsOf(inner, 'Signature')
  // The manual shows an answer with a signature, and others describe one without: then TLS proves who answers.
  if (signature === undefined) return
  const given = Buffer.from(signature, 'base64')
  const wanted = Buffer.from(sign(key, order, message ?? ''), 'base64')
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw new Error('the answer’s signature is wrong')
}

function contentsOf(xml: string, name: string): string[] {
  const element = new RegExp(`<(?:\\w+:)?${name}(?:\\s[^>]*)?>([\\s\\S]*?)</(?:\\w+:)?${name}>`, 'g')
  return [...xml.matchAll(element)].map(([, content = '']) => content)
}

const fieldsOf = (response: string): Operation =>
  Object.fromEntries([...response.matchAll(/<(Ds_\w+)>([^<]*)<\/\1>/g)].map(([, name, value]) => [name!, unescape(value!).trim()]))

function unescape(text: string): string {
  const [, plain] = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/.exec(text) ?? []
  if (plain !== undefined) return plain
  const names: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: '\'', amp: '&' }
  return text.replaceAll(/&(lt|gt|quot|apos|amp|#\d+);/g, (_, name: string) =>
    names[name] ?? String.fromCodePoint(Number(name.slice(1))))
}
