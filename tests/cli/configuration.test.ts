import { describe, expect, it } from 'vitest'
import { svc, type Env } from '../support/cli.ts'

describe('a wrong configuration', () => {
  const env = { PORT: 'http', SVC_TRUSTED_PROXIES: '-1', DATABASE_URL: 'mysql://user:hunter2@db/svc' }

  it.each(['start', 'up', 'modules list'])('stops svc %s with exit code 78, and names each wrong value', async (words) => {
    const { code, stdout, stderr } = await svc(words.split(' '), { env })
    expect(code).toBe(78)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/PORT must be .*\n.*/)
    expect(stderr).toContain('SVC_TRUSTED_PROXIES must be')
    expect(stderr).toContain('DATABASE_URL must be')
    expect(stderr).not.toContain('hunter2')
  })

  it('is reported as one JSON document with --json', async () => {
    const { code, stdout } = await svc(['modules', 'list', '--json'], { env })
    expect(code).toBe(78)
    expect(JSON.parse(stdout).error.code).toBe('configuration')
  })
})

describe('a certificate that cannot seal', () => {
  it('stops the first command that would use it with exit code 78 and a sentence', async () => {
    const { code, stderr } = await svc(['modules', 'doctor'], {
      env: { SVC_SEAL_P12: 'package.json', SVC_SEAL_PASSWORD: 'hunter2' }
    })
    expect(code).toBe(78)
    expect(stderr).toMatch(/SVC_SEAL_P12 \(.*package\.json\) is not a PKCS #12 file/)
    expect(stderr).not.toContain('hunter2')
  })
})

describe('demo seed', () => {
  it.each<{ env: Env, reason: string }>([
    {
      env: { DATABASE_URL: 'postgres://db.clinic.example/svc' },
      reason: 'DATABASE_URL names a database on another machine'
    },
    { env: { HOST: '0.0.0.0' }, reason: 'HOST 0.0.0.0 can be reached from other machines' }
  ])('is refused for an instance that is not on this machine: $reason', async ({ env, reason }) => {
    const refused = await svc(['demo', 'seed', '--json'], { env })
    expect(refused.code).toBe(3)
    expect(JSON.parse(refused.stdout).error).toMatchObject({
      code: 'not_local',
      hint: 'svc demo seed --force',
      reasons: [reason]
    })
  })

  it.each<{ env: Env, reasons: string[] }>([
    {
      env: { SVC_BASE_URL: 'https://budgets.clinic.example' },
      reasons: ['SVC_BASE_URL https://budgets.clinic.example is a public address']
    },
    {
      env: { SVC_TRUSTED_PROXIES: '1', NODE_ENV: 'production' },
      reasons: ['SVC_TRUSTED_PROXIES says that a proxy is in front', 'NODE_ENV is production']
    }
  ])(
    'is refused for a public address, behind proxies and in production, also with --force: $reasons',
    async ({ env, reasons }) => {
      for (const words of [
        ['demo', 'seed', '--force', '--json'],
        ['up', '--demo', '--json']
      ]) {
        const refused = await svc(words, { env })
        expect(refused.code).toBe(3)
        expect(JSON.parse(refused.stdout).error).toMatchObject({ code: 'not_for_demo', hint: null, reasons })
      }
    }
  )

  it('is refused by up --demo in the same way, before it builds anything', async () => {
    const refused = await svc(['up', '--demo'], { env: { HOST: '0.0.0.0' } })
    expect(refused.code).toBe(3)
  })
})
