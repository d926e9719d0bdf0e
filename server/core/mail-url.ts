import { isThisMachine } from './loopback.ts'

/**
 * Whether a mail server is used with TLS. `required`: STARTTLS must come first, or nothing is sent, since messages
 * contain links that let people sign in. `offered`: STARTTLS if the server offers it, which is enough on this machine.
 */
export function tlsOf(url: string): 'from_start' | 'required' | 'offered' | 'never' {
  const { protocol, hostname, searchParams } = new URL(url)
  if (protocol === 'smtps:') return 'from_start'
  if (searchParams.get('tls') === 'never') return 'never'
  return isThisMachine(hostname) ? 'offered' : 'required'
}

/** What is wrong with the parameter `tls`; null if it is valid. */
export function findTlsFault(url: string): string | null {
  const { protocol, searchParams } = new URL(url)
  const tls = searchParams.get('tls')
  if (tls === null) return null
  if (protocol === 'smtps:') return 'must not have a tls parameter with smtps://, which always uses TLS'
  return tls === 'never' ? null : 'can have tls=never, which allows plain text, and no other value of tls'
}

const WAITS = { connectionTimeout: '10000', greetingTimeout: '10000', socketTimeout: '30000' }

/**
 * Adds the connection's options in nodemailer's form. A server that hangs must not block the queue of messages for
 * ever.
 */
export function toTransportUrl(url: string): string {
  const [address] = url.split('?')
  const options = new URL(url).searchParams
  options.delete('tls')
  for (const [name, value] of Object.entries({ pool: 'true', maxConnections: '3', ...WAITS })) options.set(name, value)
  const tls = tlsOf(url)
  if (tls === 'required') options.set('requireTLS', 'true')
  if (tls === 'never') options.set('ignoreTLS', 'true')
  return `${address}?${options}`
}
