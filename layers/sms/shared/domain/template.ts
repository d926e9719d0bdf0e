/** What a gateway's template can contain, by the name in braces. */
export interface TemplateValues {
  /** E.164, with its plus sign. */ to: string
  /** The same without the plus sign. */ digits: string
  text: string
  /** The message's id, the same in each attempt. */ id: string
  key: string
  /** Where the gateway reports deliveries. */ report: string
}

export interface GatewayTemplate { url: string, method: string, headers: string | null, body: string | null }
export interface GatewayRequest { url: string, method: string, headers: Record<string, string>, body?: string }

const NAME = /\{(to|digits|text|id|key|report)\}/g

/**
 * One pass, so that braces in a value stay what they are. Each value is written as its place needs it: in the address
 * as a part of it, in the body as its content type says.
 */
export function fillTemplate(template: GatewayTemplate, values: TemplateValues): GatewayRequest {
  const fill = (text: string, write: (value: string) => string) =>
    text.replace(NAME, (_, name: keyof TemplateValues) => write(values[name]))
  const headers = readHeaders(fill(template.headers ?? '', asHeader))
  const url = fill(template.url, encodeURIComponent)
  const { method } = template
  if (method === 'GET' || template.body === null) return { url, method, headers }
  const type = headers['content-type'] ?? 'application/json'
  return {
    url, method, headers: { ...headers, 'content-type': type }, body: fill(template.body, writerFor(type))
  }
}

/** Whether the request has both the number and the text. */
export function isComplete({ url, method, body }: GatewayTemplate): boolean {
  const whole = method === 'GET' ? url : `${url} ${body ?? ''}`
  return /\{(?:to|digits)\}/.test(whole) && whole.includes('{text}')
}

function writerFor(type: string): (value: string) => string {
  if (/\bjson\b/i.test(type)) return value => JSON.stringify(value).slice(1, -1)
  if (/urlencoded/i.test(type)) return encodeURIComponent
  return /\bxml\b/i.test(type) ? asXml : value => value
}

const XML: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\'': '&apos;' }
const asXml = (value: string) => value.replace(/[&<>"']/g, sign => XML[sign]!)
/** A value can't begin another header. */
const asHeader = (value: string) => value.replace(/[^\x20-\x7E]+/g, ' ')

const HEADER = /^([\w!#$%&'*+.^`|~-]+):(.*)$/

/** Lines of "Name: value"; names in lower case. */
export const readHeaders = (text: string): Record<string, string> => Object.fromEntries(
  text.split('\n').flatMap((line) => {
    const [, name, value] = HEADER.exec(line.trim()) ?? []
    return name === undefined ? [] : [[name.toLowerCase(), value!.trim()]]
  })
)

export const areHeaders = (text: string): boolean =>
  text.split('\n').every(line => line.trim() === '' || HEADER.test(line.trim()))

/** The text at a path such as `messages.0.id` of a JSON answer. */
export function readPath(answer: string, path: string): string | null {
  try {
    const found = path.split('.').reduce<unknown>(
      (value, name) => typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined,
      JSON.parse(answer)
    )
    return typeof found === 'string' || typeof found === 'number' ? String(found) : null
  } catch {
    return null
  }
}
