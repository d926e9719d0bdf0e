import { describe, expect, it } from 'vitest'
import { createLog, describeError, scrubForModule, scrubUrl } from '../../server/core/log.ts'
import { parseManifest } from '../../server/core/manifest.ts'
import budget from '../../layers/budget/package.json' with { type: 'json' }

function captured(production = true) {
  const lines: string[] = []
  return { lines, log: createLog({ production, log_level: 'info' }, line => lines.push(line)) }
}

// The service does the same for each installed module.
const { personal, scrub } = parseManifest(budget).manifest!
scrubForModule({ members: [...personal.members, 'patient_name'], texts: scrub })

describe('the log', () => {
  it('has one JSON line per event in production', () => {
    const { lines, log } = captured()
    log.info('http.request', { request_id: 'r1', status: 200, big: 12n })
    log.debug('not.shown')
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 'info',
      event: 'http.request',
      request_id: 'r1',
      status: 200,
      big: '12'
    })
  })

  it('never contains a token, code, cookie or name of a patient', () => {
    const { lines, log } = captured()
    log.error('http.error', {
      path: '/api/v1/public/budgets/TOKEN1/accept',
      page: 'https://clinic.example/p/budget/TOKEN2?x=1',
      code: '246810',
      cookie: 'svc_session=TOKEN3',
      headers: { authorization: 'Bearer TOKEN4' },
      patient_name: 'Núria Puig',
      note: 'budget_session=TOKEN5; Bearer TOKEN6',
      error: new Error('GET /p/budget/TOKEN7 failed')
    })
    expect(lines[0]).not.toMatch(/TOKEN|246810|Núria/)
    expect(lines[0]).toContain('/api/v1/public/budgets/-/accept')
  })

  it('has the code of a problem', () => {
    const { lines, log } = captured()
    log.info('http.problem', { code: 'link_locked' })
    expect(JSON.parse(lines[0]!)).toMatchObject({ code: 'link_locked' })
  })

  it('has a failed query with its cause and without its values', () => {
    const cause = Object.assign(new Error('duplicate key value violates unique constraint "x"'), {
      code: '23505',
      detail: 'Key (email)=(nuria@example.org)'
    })
    const failed = new Error('Failed query: insert into t values ($1)\nparams: nuria@example.org', { cause })
    const described = describeError(failed)
    expect(described).toMatchObject({ message: cause.message, code: '23505' })
    expect(JSON.stringify(described)).not.toContain('nuria')
  })

  it('has a refused message without the recipient\'s address', () => {
    const refused = new Error(
      'Can\'t send mail - all recipients were rejected: 550 5.1.1 <nuria.o\'hara+x@example.org>: unknown'
    )
    expect(JSON.stringify(describeError(refused))).not.toMatch(/nuria|example/)
  })

  it('omits personal members and texts that the manifests of modules declare', () => {
    const { lines, log } = captured()
    log.info('x', { nest_owner: 'Núria', Owner: 'Núria', note: 'at /p/nests/TOKEN/eggs?x=1, cookie nest_session=TOKEN2;' })
    expect(lines[0]).toContain('TOKEN')
    scrubForModule({ members: ['nest_owner', 'owner'], texts: ['/p/nests/', 'nest_session='] })
    log.info('x', { nest_owner: 'Núria', Owner: 'Núria', note: 'at /p/nests/TOKEN/eggs?x=1, cookie nest_session=TOKEN2;' })
    expect(JSON.parse(lines[1]!)).toMatchObject({
      nest_owner: '-', Owner: '-', note: 'at /p/nests/-/eggs?x=1, cookie nest_session=-;'
    })
  })

  it('has addresses without tokens and queries', () => {
    expect(scrubUrl('/p/budget/abc?lang=es')).toBe('/p/budget/-')
    expect(scrubUrl('/api/v1/public/budgets/abc')).toBe('/api/v1/public/budgets/-')
    expect(scrubUrl('/api/v1/budget/budgets?search=Puig')).toBe('/api/v1/budget/budgets')
  })
})
