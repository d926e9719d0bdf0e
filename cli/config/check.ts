import { defineCommand } from 'citty'
import type { Config } from '../../server/core/config.ts'
import { readOperatorCertificate } from '../../server/core/documents/operator-certificate.ts'
import { configuration } from '../context.ts'
import type { Result } from '../output.ts'

/** Exits with 78 for the same settings that `svc start` refuses. */
export default defineCommand({
  meta: {
    name: 'check',
    description: 'Check the environment and print the settings, without secrets',
    examples: ['svc config check']
  },
  args: { json: { type: 'boolean', description: 'Print one JSON document' } },
  async run(): Promise<Result> {
    const config = configuration()
    await readOperatorCertificate(config)
    const settings = shown(config)
    return {
      json: { ok: true, settings },
      text: [
        'The configuration is valid.',
        '',
        ...Object.entries(settings).map(([name, value]) => `${name}: ${value ?? '-'}`)
      ].join('\n')
    }
  }
})

/** Leaves out secrets and values that may contain one: addresses may contain passwords. */
function shown(config: Config): Record<string, string | number | boolean | null> {
  const isSet = (value: unknown) => value === null ? 'not set' : 'set'
  return {
    DATABASE_URL: config.database_url === null ? 'not set (embedded database)' : 'set',
    HOST: config.host,
    PORT: config.port,
    SVC_BASE_URL: config.base_url,
    SVC_STORAGE: config.object_store
      ? `s3://${[config.object_store.bucket, config.object_store.prefix].filter(Boolean).join('/')}`
      : config.storage,
    SVC_SECRET: isSet(config.secret),
    SVC_SECRET_PREVIOUS: isSet(config.secret_previous),
    SVC_HASH_COST: config.hash_cost,
    SVC_SMTP_URL: isSet(config.smtp_url),
    SVC_MAIL_FROM: config.mail_from,
    SVC_TRUSTED_PROXIES: config.trusted_proxies,
    SVC_WEBHOOK_ALLOW_PRIVATE: config.webhook_allow_private,
    SVC_SEAL_P12: config.seal_p12,
    SVC_TSA_URL: isSet(config.tsa_url),
    SVC_OIDC_ISSUER: config.oidc?.issuer ?? null,
    SVC_OIDC_CLIENT_ID: config.oidc?.client_id ?? null,
    SVC_OIDC_CLIENT_SECRET: isSet(config.oidc?.client_secret ?? null),
    SVC_OIDC_LABEL: config.oidc?.label ?? null,
    SVC_OIDC_ONLY: config.oidc?.only ?? false,
    LOG_LEVEL: config.log_level,
    NODE_ENV: config.production ? 'production' : null
  }
}
