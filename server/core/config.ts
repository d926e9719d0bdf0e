import { statSync } from 'node:fs'
import { isIP } from 'node:net'
import path from 'node:path'
import { phraseIssue } from '@svc/kit/issues'
import * as z from 'zod'
import { AddressError, readAddress } from './database-address.ts'
import { isThisMachine } from './loopback.ts'
import { findTlsFault } from './mail-url.ts'

const DEFAULT_STORAGE = './storage'
/** scrypt with N = 2^15 and r = 8: the least for an address that others reach. */
export const DEFAULT_HASH_COST = 15
const S3 = 's3://'

/** The settings of an instance. Only this file reads the environment, once. */
export interface Config {
  /** The product's folder: `SVC_ROOT`, otherwise the working directory. Relative paths start here. */
  root: string
  production: boolean
  /** Null: the embedded database below `storage`. */
  database_url: string | null
  port: number
  host: string
  /** The URL of this instance for users, an origin without a trailing slash. */
  base_url: string
  /** Absolute folder for everything that the instance writes, including documents unless there is an object store. */
  storage: string
  /** Where documents are stored; null: in `storage`. */
  object_store: ObjectStore | null
  /** Null: generated once and kept in `<storage>/secret`. */
  secret: string | null
  secret_previous: string | null
  /** scrypt's log2(N) for passwords and codes: 15 takes 32 MB and about 80 ms a check. */
  hash_cost: number
  /** Null: messages are written to `<storage>/outbox`. */
  smtp_url: string | null
  mail_from: string
  /** How many proxies in front are trusted in `X-Forwarded-For`. */
  trusted_proxies: number
  webhook_allow_private: boolean
  /** Absolute path of a PKCS #12 file. Null: a self-signed certificate, created at the first start. */
  seal_p12: string | null
  seal_password: string | null
  tsa_url: string | null
  /** A further, or the only, way to sign in. Null: only with local accounts. */
  oidc: OidcProvider | null
  /** Receiver of OpenTelemetry spans. Null: none are sent. */
  otlp_endpoint: string | null
  service_name: string
  log_level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

/** A provider of OpenID Connect. */
export interface OidcProvider {
  issuer: string
  client_id: string
  client_secret: string
  /** The provider's name on the button of the sign-in page. */
  label: string
  /** True if nobody signs in here with a password or a passkey. */
  only: boolean
}

/** A bucket with the S3 API. */
export interface ObjectStore {
  bucket: string
  /** Without leading or trailing slashes; may be empty. */
  prefix: string
  /** Null: Amazon's endpoint for the region. */
  endpoint: string | null
  region: string
  access_key_id: string
  secret_access_key: string
  session_token: string | null
}

/** Lists every invalid value, with one sentence each, without the values of secrets. Ends a start with exit code 78. */
export class ConfigError extends Error {
  readonly problems: string[]
  constructor(problems: string[]) {
    super(`The configuration is wrong:\n${problems.map(line => `  - ${line}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** Throws ConfigError. An empty value counts as missing, because compose files write missing values like that. */
export function readConfig(env: Record<string, string | undefined>, cwd: string): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== '')
  )
  const root = path.resolve(cwd, given.SVC_ROOT ?? '.')
  const parsed = environment(root).safeParse(given, { error: phraseIssue })
  const store = readObjectStore(given)
  const oidc = readOidc(given)
  const problems = parsed.success ? [] : parsed.error.issues.map(issue => `${issue.path.join('.')} ${issue.message}`)
  problems.push(...store.problems, ...oidc.problems)
  problems.push(...parsed.success ? findHashFault(parsed.data) : [])
  const production = given.NODE_ENV === 'production'
  if (production && given.DATABASE_URL && !given.SVC_SECRET) {
    problems.push(
      'SVC_SECRET is required with DATABASE_URL in production: at least 32 random characters, the same for all instances'
    )
  }
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems)
  return toConfig(parsed.data, { root, production, object_store: store.found, oidc: oidc.found })
}

function toConfig(
  read: Environment,
  { root, production, object_store, oidc }: Pick<Config, 'root' | 'production' | 'object_store' | 'oidc'>
): Config {
  const base_url = baseUrl(read)
  return {
    root,
    production,
    database_url: read.DATABASE_URL ?? null,
    port: read.PORT,
    host: read.HOST,
    base_url,
    storage: path.resolve(root, object_store ? DEFAULT_STORAGE : read.SVC_STORAGE),
    object_store,
    secret: read.SVC_SECRET ?? null,
    secret_previous: read.SVC_SECRET_PREVIOUS ?? null,
    hash_cost: read.SVC_HASH_COST,
    smtp_url: read.SVC_SMTP_URL ?? null,
    mail_from: read.SVC_MAIL_FROM ?? `no-reply@${new URL(base_url).hostname}`,
    trusted_proxies: read.SVC_TRUSTED_PROXIES,
    webhook_allow_private: read.SVC_WEBHOOK_ALLOW_PRIVATE,
    seal_p12: read.SVC_SEAL_P12 ?? null,
    seal_password: read.SVC_SEAL_PASSWORD ?? null,
    tsa_url: read.SVC_TSA_URL ?? null,
    oidc,
    otlp_endpoint: read.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    service_name: read.OTEL_SERVICE_NAME,
    log_level: read.LOG_LEVEL
  }
}

function baseUrl({ SVC_BASE_URL, PORT }: Environment): string {
  return SVC_BASE_URL ?? `http://localhost:${PORT}`
}

/** Weak hashes are quick to try out for someone who stole the database, so they are for trials on this machine only. */
function findHashFault(read: Environment): string[] {
  const local = [new URL(baseUrl(read)).hostname, read.HOST].every(isThisMachine)
  return read.SVC_HASH_COST >= DEFAULT_HASH_COST || local
    ? []
    : [`SVC_HASH_COST must be at least ${DEFAULT_HASH_COST} unless SVC_BASE_URL and HOST are addresses of this machine`]
}

/** Read only with a bucket: other programs on the machine use such variables too. */
function readObjectStore(given: Record<string, string | undefined>): { found: ObjectStore | null, problems: string[] } {
  if (!given.SVC_STORAGE?.startsWith(S3)) return { found: null, problems: [] }
  const parsed = awsEnvironment.safeParse(given, { error: phraseIssue })
  if (!parsed.success)
    return { found: null, problems: parsed.error.issues.map(issue => `${issue.path.join('.')} ${issue.message}`) }
  const read = parsed.data
  const endpoint = read.AWS_ENDPOINT_URL_S3 ?? read.AWS_ENDPOINT_URL ?? null
  const region = read.AWS_REGION ?? read.AWS_DEFAULT_REGION ?? (endpoint ? 'us-east-1' : null)
  if (!region)
    return {
      found: null,
      problems: [
        'AWS_REGION is required with SVC_STORAGE=s3://…, unless AWS_ENDPOINT_URL_S3 names another service than Amazon\'s'
      ]
    }
  const found = {
    ...read.SVC_STORAGE,
    endpoint,
    region,
    access_key_id: read.AWS_ACCESS_KEY_ID,
    secret_access_key: read.AWS_SECRET_ACCESS_KEY,
    session_token: read.AWS_SESSION_TOKEN ?? null
  }
  return { found, problems: [] }
}

/** With only some of these settings, the sign-in page would lead nowhere. */
function readOidc(given: Record<string, string | undefined>): { found: OidcProvider | null, problems: string[] } {
  if (!Object.keys(oidcEnvironment.shape).some(name => given[name] !== undefined)) return { found: null, problems: [] }
  const parsed = oidcEnvironment.safeParse(given, { error: phraseIssue })
  if (!parsed.success)
    return { found: null, problems: parsed.error.issues.map(issue => `${issue.path.join('.')} ${issue.message}`) }
  const read = parsed.data
  const found = {
    issuer: read.SVC_OIDC_ISSUER,
    client_id: read.SVC_OIDC_CLIENT_ID,
    client_secret: read.SVC_OIDC_CLIENT_SECRET,
    label: read.SVC_OIDC_LABEL ?? new URL(read.SVC_OIDC_ISSUER).hostname,
    only: read.SVC_OIDC_ONLY
  }
  return { found, problems: [] }
}

const OIDC_NEEDED = 'is required with the other settings of the provider'
const oidcEnvironment = z.object({
  SVC_OIDC_ISSUER: z
    .string(OIDC_NEEDED)
    .refine(isIssuer, 'must be an https:// URL, or an http:// URL on this machine'),
  SVC_OIDC_CLIENT_ID: z.string(OIDC_NEEDED),
  SVC_OIDC_CLIENT_SECRET: z.string(OIDC_NEEDED),
  SVC_OIDC_LABEL: z.string().max(60, 'must have at most 60 characters').optional(),
  SVC_OIDC_ONLY: z
    .string()
    .transform((value, ctx) => toBoolean(value) ?? refuse(ctx, `must be true or false, not "${value}"`))
    .default(false)
})

/** Anyone who can change the provider's answers can sign in as anybody. */
function isIssuer(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname } = new URL(value)
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackName(hostname))
}

const isLoopbackName = (hostname: string) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

const NEEDED = 'is required with SVC_STORAGE=s3://…'
const endpointUrl = url(['http:', 'https:'], 'must be an http(s) URL')
  .refine(
    value => URL.canParse(value) && !new URL(value).username && !new URL(value).search,
    'must not contain a user or a query'
  )
  .transform(value => value.replace(/\/+$/, ''))
  .optional()

const awsEnvironment = z.object({
  SVC_STORAGE: z
    .string()
    .transform(
      (value, ctx) => toBucket(value) ?? refuse(ctx, `must be s3://bucket or s3://bucket/prefix, not "${value}"`)
    ),
  AWS_ENDPOINT_URL_S3: endpointUrl,
  AWS_ENDPOINT_URL: endpointUrl,
  AWS_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be the name of a region')
    .optional(),
  AWS_DEFAULT_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be the name of a region')
    .optional(),
  AWS_ACCESS_KEY_ID: z.string(NEEDED),
  AWS_SECRET_ACCESS_KEY: z.string(NEEDED),
  AWS_SESSION_TOKEN: z.string().optional()
})

function toBucket(value: string): { bucket: string, prefix: string } | null {
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(value) ?? []
  const trimmed = prefix.replace(/\/+$/, '')
  return bucket
    && !trimmed.split('/').some((part, index) => part === '.' || part === '..' || (part === '' && index > 0))
    && !prefix.startsWith('/')
    ? { bucket, prefix: trimmed }
    : null
}

type Environment = z.infer<ReturnType<typeof environment>>

function environment(root: string) {
  return z.object({
    DATABASE_URL: z.string().superRefine(checkAddress).optional(),
    PORT: wholeNumber(0, 65535).default(3000),
    HOST: text(isHost, value => `must be an IP address or a host name, not "${value}"`).default('127.0.0.1'),
    SVC_BASE_URL: z
      .string()
      .transform(
        (value, ctx) => toOrigin(value) ?? refuse(ctx, `must be an http(s) address without a path, not "${value}"`)
      )
      .optional(),
    SVC_STORAGE: text(
      value => !value.includes('://') || value.startsWith(S3),
      () => 'must be a folder, or s3://bucket or s3://bucket/prefix'
    ).default(DEFAULT_STORAGE),
    SVC_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
    SVC_SECRET_PREVIOUS: z.string().min(32, 'must have at least 32 characters').optional(),
    SVC_HASH_COST: wholeNumber(10, 17).default(DEFAULT_HASH_COST),
    SVC_SMTP_URL: url(['smtp:', 'smtps:'], 'must be an smtp:// or smtps:// URL')
      .refine(value => !URL.canParse(value) || !findTlsFault(value), {
        error: issue => findTlsFault(String(issue.input))!
      })
      .optional(),
    SVC_MAIL_FROM: text(isSender, value => `must be an email address or "Name <address>", not "${value}"`).optional(),
    SVC_TRUSTED_PROXIES: wholeNumber(0, 32).default(0),
    SVC_WEBHOOK_ALLOW_PRIVATE: z
      .string()
      .transform((value, ctx) => toBoolean(value) ?? refuse(ctx, `must be true or false, not "${value}"`))
      .default(false),
    SVC_SEAL_P12: z
      .string()
      .transform((value, ctx) => toFile(root, value) ?? refuse(ctx, `does not name a readable file: "${value}"`))
      .optional(),
    SVC_SEAL_PASSWORD: z.string().optional(),
    SVC_TSA_URL: url(['http:', 'https:'], 'must be an http(s) URL').optional(),
    OTEL_EXPORTER_OTLP_ENDPOINT: url(['http:', 'https:'], 'must be an http(s) URL').optional(),
    OTEL_SERVICE_NAME: z.string().default('dental-budget-service'),
    LOG_LEVEL: z
      .enum(['debug', 'info', 'warn', 'error', 'silent'], {
        error: issue => `must be one of debug, info, warn, error, silent, not "${issue.input}"`
      })
      .default('info')
  })
}

function text(isRight: (value: string) => boolean, message: (value: string) => string) {
  return z.string().refine(isRight, { error: issue => message(String(issue.input)) })
}

/** The value is not repeated, because such URLs contain passwords. */
function url(protocols: string[], message: string) {
  return z
    .string()
    .refine(value => URL.canParse(value) && protocols.includes(new URL(value).protocol), { error: message })
}

/** Parsed here only to report errors; `db/connection.ts` parses it again. */
function checkAddress(value: string, ctx: z.RefinementCtx): void {
  try {
    readAddress(value)
  } catch (error) {
    if (!(error instanceof AddressError)) throw error
    refuse(ctx, error.message)
  }
}

function wholeNumber(min: number, max: number) {
  return z.string().transform((value, ctx) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    return number >= min && number <= max
      ? number
      : refuse(ctx, `must be a whole number from ${min} to ${max}, not "${value}"`)
  })
}

function refuse(ctx: z.RefinementCtx, message: string): never {
  ctx.addIssue({ code: 'custom', message })
  return z.NEVER
}

function isHost(value: string): boolean {
  return (
    isIP(value) !== 0
    || /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i.test(value)
  )
}

function isSender(value: string): boolean {
  return /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value)
}

function toOrigin(value: string): string | null {
  if (!URL.canParse(value)) return null
  const { protocol, origin, pathname, search, hash, username } = new URL(value)
  const isOrigin = (protocol === 'http:' || protocol === 'https:') && pathname === '/' && !search && !hash && !username
  return isOrigin ? origin : null
}

function toBoolean(value: string): boolean | null {
  if (/^(?:true|1|yes)$/i.test(value)) return true
  return /^(?:false|0|no)$/i.test(value) ? false : null
}

function toFile(root: string, value: string): string | null {
  const file = path.resolve(root, value)
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : null
}
