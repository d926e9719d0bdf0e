import { describe, expect, it } from 'vitest'
import { checkEndpoint, checkShape, isCron } from '../../../server/core/modules/shape.ts'

const anEndpoint = (fields: object = {}) => ({ access: 'none', handle: () => ({}), ...fields })
const aChannel = { label: 'SMS', isReady() {}, addressOf() {}, send() {} }
const aLimit = { name: 'guess', points: 5, seconds: 60, by: 'address', counts: 'failures' }

describe('a module', () => {
  it('can be a plain object, even an empty one', () => {
    expect(checkShape({})).toEqual({})
    expect(() => checkShape({ channels: { sms: aChannel } })).not.toThrow()
    expect(Object.keys(checkShape({ jobs: { tick: { cron: '*/5 * * * *', run() {} } }, exports: () => ({}) }))).toEqual(
      ['jobs', 'exports']
    )
  })

  it.each<[string, unknown]>([
    ['no default export', undefined],
    ['a file below server/api/v1/', { endpoints: [anEndpoint()] }],
    ['on is not a table', { on: { x: 1 } }],
    ['hooks is not a table', { hooks: { install: 'x' } }],
    ['jobs is not a table', { jobs: { x: {} } }],
    ['the job x has no schedule of five fields: hourly', { jobs: { x: { cron: 'hourly', run() {} } } }],
    ['the problem lost needs a status', { problems: { lost: { status: 200, title: 'Lost' } } }],
    ['channels is not a table', { channels: [] }],
    ['the channel sms needs a label', { channels: { sms: { ...aChannel, label: undefined } } }],
    ['the channel sms needs a label and the functions', { channels: { sms: { ...aChannel, send: 'x' } } }],
    ['the channel email cannot have this name', { channels: { email: aChannel } }],
    ['the channel manual cannot have this name', { channels: { manual: aChannel } }],
    ['the channel By-Pigeon cannot have this name', { channels: { 'By-Pigeon': aChannel } }],
    ['exports is not a function', { exports: {} }],
    ['public_sections is not a table', { public_sections: { 'forms.page': [] } }],
    ['staff_sections is not a table', { staff_sections: { 'forms.page': [] } }],
    ['accesses is not a table', { accesses: { link: 'none' } }],
    ['before is not a table of functions', { before: { 'notes.publish': {} } }],
    ['steps is not a table of {payload}', { steps: { 'notes.publish': {} } }],
    ['not today', { get on() { throw new Error('not today') } }]
  ])('is refused when %s', (message, entry) => {
    expect(() => checkShape(entry)).toThrow(message)
  })
})

describe('an endpoint', () => {
  it('can be a plain object', () => {
    expect(() => checkEndpoint(anEndpoint({ limit: aLimit }), 'get /notes')).not.toThrow()
  })

  it('can have the access type of another module', () => {
    expect(() => checkEndpoint(anEndpoint({ access: 'forms.link' }), 'get /notes')).not.toThrow()
  })

  it.each<[string, unknown]>([
    ['get /notes: its file has no default export', undefined],
    ['get /notes: an endpoint lacks access or handle', { access: 'none' }],
    ['access is none of', anEndpoint({ access: 'everybody' })],
    ['access is none of', anEndpoint({ access: 'forms.' })],
    ['need a safeParse function', anEndpoint({ body: {} })],
    ['raw_body is a list of content types', anEndpoint({ raw_body: 'text/csv' })],
    ['stream_body is true or false, beside raw_body', anEndpoint({ stream_body: true })],
    ['stream_body is true or false, beside raw_body', anEndpoint({ raw_body: ['text/csv'], stream_body: 'yes' })],
    ['a limit needs', anEndpoint({ limit: { ...aLimit, points: 0 } })]
  ])('is refused when %s', (message, endpoint) => {
    expect(() => checkEndpoint(endpoint, 'get /notes')).toThrow(message)
  })
})

describe('a schedule', () => {
  it.each([
    '* * * * *', '*/10 * * * *', '23 3 * * *', '0,30 8-18/2 1-15 */3 1-5', '0 0 29 2 *'
  ])('can be %s', (cron) => {
    expect(isCron(cron)).toBe(true)
  })
  it.each([
    '',
    '* * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * * 13 *',
    '* * * * 7',
    '5-1 * * * *',
    '*/0 * * * *',
    '5/2 * * * *',
    '@hourly',
    '0 0 30 2 *',
    '0 0 31 4,6 *',
    '*/90 * * * *',
    '0-5/99 * * * *',
    '0 0 */32 * *',
    '0 0 * */13 *',
    '0 0 * * */8',
    5,
    null
  ])('cannot be %s', (cron) => {
    expect(isCron(cron)).toBe(false)
  })
})
