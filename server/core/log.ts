import type { Logger } from '@svc/kit'
import type { Config } from './config.ts'
import { currentTrace } from './trace-context.ts'

type Level = 'debug' | 'info' | 'warn' | 'error'
const ORDER = ['debug', 'info', 'warn', 'error', 'silent']

/**
 * Members whose values are never logged, in any event. `code` is handled separately, because problems have codes too.
 */
const SECRET
  = /^(?:token|access_token|password|secret|cookie|set-cookie|authorization|session|link|email|to|phone|first_name|last_name|full_name)$/i

/** What the manifests of modules add: names of members, and texts after which a token follows. */
const ofModules = { members: new Set<string>(), texts: new Set<string>() }
let afterTexts: RegExp | null = null

/** Called for each module on disk, before anything of it can be logged. */
export function scrubForModule({ members, texts }: { members: string[], texts: string[] }): void {
  for (const member of members) ofModules.members.add(member.toLowerCase())
  for (const text of texts) ofModules.texts.add(text)
  const escaped = [...ofModules.texts].map(text => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  afterTexts = escaped.length > 0 ? new RegExp(`(${escaped.join('|')})[^/?#;\\s"']+`, 'g') : null
}

/**
 * Logs one event per line to stderr, which leaves stdout to data: JSON in production, readable text otherwise. A line
 * has `time`, `level`, `event`, `request_id`, the caller's members, and `trace_id` if there is one.
 */
export function createLog(
  config: Pick<Config, 'production' | 'log_level'>,
  write: (line: string) => unknown = line => process.stderr.write(line)
): Logger {
  const least = ORDER.indexOf(config.log_level)

  function emit(level: Level, event: string, fields: Record<string, unknown> = {}) {
    if (ORDER.indexOf(level) < least) return
    const trace = currentTrace()
    const clean = { ...(trace ? { trace_id: trace.trace_id } : {}), ...scrubFields(fields) }
    const time = new Date().toISOString()
    if (config.production) return write(`${toJson({ time, level, event, ...clean })}\n`)
    const rest = Object.entries(clean)
      .map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : toJson(value)}`)
      .join('')
    write(`${time.slice(11, 19)} ${level.padEnd(5)} ${event}${rest}\n`)
  }

  return {
    debug: (event, fields) => emit('debug', event, fields),
    info: (event, fields) => emit('info', event, fields),
    warn: (event, fields) => emit('warn', event, fields),
    error: (event, fields) => emit('error', event, fields)
  }
}

/** A path or URL for the log, without its query and without tokens of links and mails. */
export function scrubUrl(url: string): string {
  return scrubText(url).replace(/\?.*$/s, '')
}

/** Does the same inside any text, without changing the rest. */
export function scrubText(text: string): string {
  return (afterTexts ? text.replace(afterTexts, '$1-') : text)
    .replace(/(\/(?:invitation|password-reset)\/)[^/?#\s"']+/g, '$1-')
    .replace(/([?&](?:token|code)=)[^&\s"']+/g, '$1-')
    .replace(/(Bearer\s+|svc_session=)[^\s;"']+/g, '$1-')
}

/**
 * Removes addresses, because a mail server that refuses a patient's address quotes it. The pattern is bounded, so that
 * its time is linear in the length of the text.
 */
const withoutAddresses = (text: string) =>
  text.replace(/[^\s<>"(),;:@]{1,64}@[^\s<>"'(),;:@/]{1,255}\.\p{L}{2,}/gu, '-')

export interface Described { message: string, code?: string, stack?: string }

/**
 * An error for logs and for `last_error`: for a failed query its cause, without its parameters and without PostgreSQL's
 * `detail`, because both quote stored values.
 */
export function describeError(error: unknown): Described {
  if (!(error instanceof Error)) return { message: scrubText(String(error)) }
  const inner = error.cause instanceof Error && error.message.startsWith('Failed query:') ? error.cause : error
  const code = (inner as { code?: unknown }).code
  const frames = (inner.stack ?? '').split('\n').filter(line => /^\s+at /.test(line)).slice(0, 12).join('\n')
  return {
    message: withoutAddresses(scrubText(inner.message.split('\nparams:')[0]!)),
    ...(typeof code === 'string' ? { code } : {}),
    ...(frames ? { stack: frames } : {})
  }
}

function scrubFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, scrub(name, value)]))
}

function scrub(name: string, value: unknown, depth = 0): unknown {
  if (value === undefined || value === null || typeof value === 'number' || typeof value === 'boolean') return value
  if (SECRET.test(name) || ofModules.members.has(name.toLowerCase()) || (name === 'code' && /^[\d\s-]+$/.test(String(value)))) return '-'
  if (typeof value === 'string') return scrubText(value)
  if (value instanceof Error) return describeError(value)
  if (value instanceof Date || typeof value !== 'object') return value
  if (depth > 4) return '…'
  if (Array.isArray(value)) return value.map(entry => scrub('', entry, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([inner, entry]) => [inner, scrub(inner, entry, depth + 1)]))
}

const toJson = (value: unknown) =>
  JSON.stringify(value, (_, entry: unknown) => (typeof entry === 'bigint' ? String(entry) : entry))
