import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '../../server/core/config.ts'

const secret = 'a secret of more than thirty-two characters'

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env, '/srv/app')
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('the configuration', () => {
  it('has a default for everything', () => {
    expect(readConfig({}, '/srv/app')).toEqual({
      root: '/srv/app',
      oidc: null,
      otlp_endpoint: null,
      service_name: 'dental-budget-service',
      production: false,
      database_url: null,
      port: 3000,
      host: '127.0.0.1',
      base_url: 'http://localhost:3000',
      storage: '/srv/app/storage',
      object_store: null,
      secret: null,
      secret_previous: null,
      hash_cost: 15,
      smtp_url: null,
      mail_from: 'no-reply@localhost',
      trusted_proxies: 0,
      webhook_allow_private: false,
      seal_p12: null,
      seal_password: null,
      tsa_url: null,
      log_level: 'info'
    })
  })

  it('accepts one value of the mail server\'s parameter tls, and none with smtps://', () => {
    const url = (query: string) => problemsOf({ SVC_SMTP_URL: `smtp://user:hunter2@mail.example${query}` })
    expect([url(''), url('?tls=never')]).toEqual([[], []])
    expect(url('?tls=maybe')).toEqual([
      'SVC_SMTP_URL can have tls=never, which allows plain text, and no other value of tls'
    ])
    expect(problemsOf({ SVC_SMTP_URL: 'smtps://mail.example?tls=never' })).toEqual([
      'SVC_SMTP_URL must not have a tls parameter with smtps://, which always uses TLS'
    ])
  })

  it('reports all wrong values at once', () => {
    const problems = problemsOf({
      DATABASE_URL: 'mysql://db',
      PORT: '70000',
      HOST: 'not a host',
      SVC_BASE_URL: 'https://clinic.example/path',
      SVC_STORAGE: 'ftp://bucket',
      SVC_SECRET: 'short',
      SVC_SECRET_PREVIOUS: 'short',
      SVC_HASH_COST: '9',
      SVC_SMTP_URL: 'http://mail',
      SVC_MAIL_FROM: 'nobody',
      SVC_TRUSTED_PROXIES: '-1',
      SVC_WEBHOOK_ALLOW_PRIVATE: 'perhaps',
      SVC_SEAL_P12: 'no/such/file.p12',
      SVC_TSA_URL: 'tsa',
      LOG_LEVEL: 'loud'
    })
    expect(problems.map(line => line.split(' ')[0])).toEqual([
      'DATABASE_URL',
      'PORT',
      'HOST',
      'SVC_BASE_URL',
      'SVC_STORAGE',
      'SVC_SECRET',
      'SVC_SECRET_PREVIOUS',
      'SVC_HASH_COST',
      'SVC_SMTP_URL',
      'SVC_MAIL_FROM',
      'SVC_TRUSTED_PROXIES',
      'SVC_WEBHOOK_ALLOW_PRIVATE',
      'SVC_SEAL_P12',
      'SVC_TSA_URL',
      'LOG_LEVEL'
    ])
    expect(problems).toContain('PORT must be a whole number from 0 to 65535, not "70000"')
  })

  it('never repeats a secret or a password in an error', () => {
    const problems = problemsOf({
      SVC_SECRET: 'hunter2',
      DATABASE_URL: 'mysql://user:hunter2@db',
      SVC_SMTP_URL: 'imap://user:hunter2@mail'
    })
    expect(problems).toHaveLength(3)
    expect(problems.join('\n')).not.toContain('hunter2')
  })

  it('suggests an alternative to an address that cannot work', () => {
    expect(problemsOf({ DATABASE_URL: 'postgres://svc:hunter2@a:5611,b:5612/db?target_session_attrs=standby' }))
      .toEqual(['DATABASE_URL must ask for a server that accepts writes: use target_session_attrs=read-write'])
    expect(problemsOf({ DATABASE_URL: 'postgres://svc:hunter2@a:5611,b:5612/db' })).toEqual([])
  })

  it('requires a secret when DATABASE_URL is set in production', () => {
    const env = { NODE_ENV: 'production', DATABASE_URL: 'postgres://db/svc' }
    expect(problemsOf(env)).toEqual([expect.stringMatching(/^SVC_SECRET is required/)])
    expect(problemsOf({ ...env, PORT: 'x' })).toHaveLength(2)
    expect(problemsOf({ ...env, SVC_SECRET: secret })).toEqual([])
    expect(problemsOf({ NODE_ENV: 'production' })).toEqual([])
  })

  it('takes weaker hashes only for an address of this machine', () => {
    const weak = { SVC_HASH_COST: '10' }
    expect(readConfig(weak, '/srv/app').hash_cost).toBe(10)
    expect(readConfig({}, '/srv/app').hash_cost).toBe(15)
    expect(problemsOf({ ...weak, SVC_BASE_URL: 'https://budgets.clinic.example' })).toEqual([
      'SVC_HASH_COST must be at least 15 unless SVC_BASE_URL and HOST are addresses of this machine'
    ])
    expect(problemsOf({ ...weak, HOST: '0.0.0.0' })).toHaveLength(1)
    expect(problemsOf({ SVC_HASH_COST: '16', SVC_BASE_URL: 'https://budgets.clinic.example' })).toEqual([])
  })

  it('treats an empty value as missing', () => {
    expect(readConfig({ DATABASE_URL: '', PORT: ' ', SVC_SECRET: '' }, '/srv/app')).toMatchObject({
      database_url: null,
      port: 3000,
      secret: null
    })
  })

  it('resolves relative paths against the root folder', () => {
    const root = mkdtempSync(path.join(tmpdir(), 'svc-config-'))
    writeFileSync(path.join(root, 'seal.p12'), '')
    const config = readConfig({ SVC_ROOT: root, SVC_STORAGE: 'var', SVC_SEAL_P12: 'seal.p12' }, '/elsewhere')
    expect(config).toMatchObject({ root, storage: path.join(root, 'var'), seal_p12: path.join(root, 'seal.p12') })
  })

  it('removes the trailing slash of the base URL', () => {
    expect(readConfig({ SVC_BASE_URL: 'https://budgets.clinic.example/' }, '/srv/app').base_url).toBe(
      'https://budgets.clinic.example'
    )
  })

  it.each(['127.0.0.1', '::1', '0.0.0.0', 'localhost', 'app-1.internal'])('accepts the host %s', (HOST) => {
    expect(readConfig({ HOST }, '/srv/app').host).toBe(HOST)
  })

  it.each(['Clínica Sol <hola@clinica.example>', 'hola@clinica.example'])('accepts the sender %s', (SVC_MAIL_FROM) => {
    expect(readConfig({ SVC_MAIL_FROM }, '/srv/app').mail_from).toBe(SVC_MAIL_FROM)
  })

  describe('with documents in an object store', () => {
    const credentials = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' }

    it('uses the given bucket and prefix and the usual variables, and keeps everything else in the folder', () => {
      const config = readConfig(
        {
          ...credentials,
          SVC_STORAGE: 's3://clinic-documents/a/b/',
          AWS_REGION: 'eu-south-2',
          AWS_SESSION_TOKEN: 'token'
        },
        '/srv/app'
      )
      expect(config.storage).toBe('/srv/app/storage')
      expect(config.object_store).toEqual({
        bucket: 'clinic-documents',
        prefix: 'a/b',
        endpoint: null,
        region: 'eu-south-2',
        access_key_id: 'id',
        secret_access_key: 'key',
        session_token: 'token'
      })
    })

    it('prefers the S3 endpoint variable, and needs no region with it', () => {
      const { object_store } = readConfig(
        {
          ...credentials,
          SVC_STORAGE: 's3://bucket',
          AWS_ENDPOINT_URL: 'http://all:1',
          AWS_ENDPOINT_URL_S3: 'http://s3:9000/'
        },
        '/srv/app'
      )
      expect(object_store).toMatchObject({ prefix: '', endpoint: 'http://s3:9000', region: 'us-east-1' })
    })

    it('names missing variables without the values of keys', () => {
      expect(
        problemsOf({ SVC_STORAGE: 's3://bucket', AWS_ENDPOINT_URL: 'ftp://s3', AWS_SECRET_ACCESS_KEY: 'hunter2' })
      ).toEqual(['AWS_ENDPOINT_URL must be an http(s) URL', 'AWS_ACCESS_KEY_ID is required with SVC_STORAGE=s3://…'])
      expect(problemsOf({ ...credentials, SVC_STORAGE: 's3://bucket' })).toEqual([
        expect.stringMatching(/^AWS_REGION is required/)
      ])
    })

    it.each(['s3://', 's3://B', 's3://bucket//a', 's3://bucket/a/../b', 's3://bucket/a b', 's3:///a'])(
      'refuses %s',
      (SVC_STORAGE) => {
        expect(problemsOf({ ...credentials, AWS_REGION: 'eu-south-2', SVC_STORAGE })).toEqual([
          `SVC_STORAGE must be s3://bucket or s3://bucket/prefix, not "${SVC_STORAGE}"`
        ])
      }
    )

    it('refuses an endpoint with a user, without repeating the user', () => {
      expect(
        problemsOf({ ...credentials, SVC_STORAGE: 's3://bucket', AWS_ENDPOINT_URL: 'http://user:hunter2@s3' })
      ).toEqual(['AWS_ENDPOINT_URL must not contain a user or a query'])
    })

    it('ignores these variables when no object store is configured', () => {
      expect(readConfig({ AWS_ENDPOINT_URL: 'not a url', AWS_REGION: '?' }, '/srv/app').object_store).toBeNull()
    })
  })
})

describe('the configuration of a sign-in provider', () => {
  const withIssuer = (issuer: string) =>
    problemsOf({ SVC_OIDC_ISSUER: issuer, SVC_OIDC_CLIENT_ID: 'svc', SVC_OIDC_CLIENT_SECRET: 'secret' })

  it.each(['https://login.clinic.example/realms/staff', 'http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080'])(
    'accepts %s', issuer => expect(withIssuer(issuer)).toEqual([])
  )

  it.each(['http://login.clinic.example', 'http://192.168.1.5:8080', 'http://localhost.evil.example', 'ftp://localhost'])(
    'refuses %s: an attacker who can change the provider\'s responses can sign in as anyone',
    issuer => expect(withIssuer(issuer)).toEqual([
      'SVC_OIDC_ISSUER must be an https:// URL, or an http:// URL on this machine'
    ])
  )
})
