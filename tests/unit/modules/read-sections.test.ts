import { describe, expect, test } from 'vitest'
import { readSections } from '../../../server/core/modules/sections/read-sections.ts'

const SOURCE = { module: 'deposits', token_base: '/api/v1/public/budgets/abc', origin: 'https://clinic.example' }
const aSection = (fields: object = {}) => ({ id: 'deposit', title: 'Deposit', ...fields })
const read = (returned: unknown) => readSections(returned, SOURCE)
const anAction = (href: unknown, fields: object = {}) => ({ label: 'Pay', href, kind: 'primary', ...fields })

describe('the address of an action', () => {
  test.each([
    ['/api/v1/public/budgets/abc/x/deposits/pay', '/api/v1/public/budgets/abc/x/deposits/pay'],
    ['/api/v1/public/deposits/terms?locale=es#2', '/api/v1/public/deposits/terms?locale=es#2'],
    ['https://clinic.example/api/v1/public/deposits/terms', '/api/v1/public/deposits/terms'],
    ['/api/v1/public/deposits/a/../terms', '/api/v1/public/deposits/terms']
  ])('can be %s', (href, shown) => {
    expect(read([aSection({ actions: [anAction(href)] })])).toEqual({
      sections: [aSection({ actions: [anAction(shown)] })], faults: []
    })
  })

  test.each([
    'https://pay.example/checkout', '//pay.example/api/v1/public/deposits/pay', 'http://clinic.example/api/v1/public/deposits/x',
    'https://clinic.example:8443/api/v1/public/deposits/x', 'https://me:it@clinic.example/api/v1/public/deposits/x',
    'javascript:alert(1)', 'data:text/html,x', 'tel:112', '/', '', 'pay', 'http://', '/api/v1/public/deposits', '/deposits/pay',
    '/api/v1/deposits/pay', '/api/v1/public/depositsx/pay', '/api/v1/public/budgets/abc/accept',
    '/api/v1/public/budgets/abc/x/others/pay', '/api/v1/public/budgets/other/x/deposits/pay',
    '/api/v1/public/deposits/../budgets/abc/accept', '/api/v1/public/deposits/%2e%2e/budgets/abc/accept',
    '/api/v1/public/deposits\\..\\..\\budgets', '/api/v1/public/deposits/..%2fbudgets%2fabc', '/api/v1/public/deposits/%5c'
  ])('cannot be %s, and the action is omitted', (href) => {
    expect(read([aSection({ actions: [anAction(href)] })])).toEqual({
      sections: [aSection()], faults: ['section deposit: action 1 leads elsewhere']
    })
  })
})

describe('the picture of a section', () => {
  const anImage = (src: unknown, fields: object = {}) => ({ src, alt: 'QR code of the transfer', ...fields })

  test.each([
    ['/api/v1/public/budgets/abc/x/deposits/qr.svg', '/api/v1/public/budgets/abc/x/deposits/qr.svg'],
    ['https://clinic.example/api/v1/public/deposits/qr.svg?of=7', '/api/v1/public/deposits/qr.svg?of=7']
  ])('can be at %s, with or without its size', (src, shown) => {
    expect(read([
      aSection({ image: anImage(src, { width: 240, height: 240 }) }),
      aSection({ id: 'other', image: anImage(src, { width: null, loading: 'lazy' }) })
    ])).toEqual({
      sections: [
        aSection({ image: anImage(shown, { width: 240, height: 240 }) }),
        aSection({ id: 'other', image: anImage(shown) })
      ],
      faults: []
    })
  })

  test.each([
    'https://qr.example/code.svg', 'data:image/svg+xml,<svg/>', '', '/logo.svg', '/api/v1/public/budgets/abc/pdf',
    '/api/v1/public/budgets/other/x/deposits/qr.svg', '/api/v1/public/deposits/..%2fbudgets%2fabc'
  ])('cannot be at %s, and the section is shown without it', (src) => {
    expect(read([aSection({ image: anImage(src) })])).toEqual({
      sections: [aSection()], faults: ['section deposit: its image is elsewhere']
    })
  })
})

describe('an answer with too many sections, facts or actions', () => {
  test('is cut to three sections, ten facts and three actions', () => {
    const facts = Array.from({ length: 12 }, (_, index) => [`Label ${index}`, 'value'])
    const actions = Array.from({ length: 5 }, (_, index) => anAction(`/api/v1/public/deposits/${index}`))
    const returned = ['a', 'b', 'c', 'd'].map(id => aSection({ id, facts, actions }))
    const { sections, faults } = read(returned)
    expect(sections.map(({ id, facts, actions }) => [id, facts?.length, actions?.length])).toEqual([
      ['a', 10, 3], ['b', 10, 3], ['c', 10, 3]
    ])
    expect(sections[0]!.facts!.at(-1)).toEqual(['Label 9', 'value'])
    expect(faults).toEqual([
      ...['a', 'b', 'c'].flatMap(id => [
        `section ${id}: it has more than 10 facts`, `section ${id}: it has more than 3 actions`
      ]),
      'it has more than 3 sections'
    ])
  })
})

describe('a section on the patient\'s page', () => {
  test('can have lines of text, and has no unknown members', () => {
    const section = aSection({ text: 'One\nTwo <b>three</b>', facts: [['Due', '50 €']] })
    expect(read([{ ...section, html: '<b>', actions: [] }])).toEqual({ sections: [section], faults: [] })
  })

  test.each<[string, unknown]>([
    ['it is not an object', 'Deposit'],
    ['its id is missing', { title: 'Deposit' }],
    ['its id is invalid', aSection({ id: 'a b' })],
    ['its title is empty', aSection({ title: ' \u200B ' })],
    ['its title has two lines', aSection({ title: 'a\nb' })],
    ['its title is too long', aSection({ title: 'x'.repeat(201) })],
    ['its text has control characters', aSection({ text: 'a\u0000b' })],
    ['its text has a direction override', aSection({ text: 'a\u202Eb' })],
    ['its text is too long', aSection({ text: 'x'.repeat(2001) })],
    ['a fact has no value', aSection({ facts: [['Due']] })],
    ['a fact is a number', aSection({ facts: [['Due', 50]] })],
    ['its image has no text', aSection({ image: { src: '/api/v1/public/deposits/qr.svg', alt: ' ' } })],
    ['its image is too large', aSection({ image: { src: '/api/v1/public/deposits/qr.svg', alt: 'QR', width: 2001 } })],
    ['an action has no label', aSection({ actions: [{ href: '/api/v1/public/deposits/x', kind: 'primary' }] })],
    ['an action is of another kind', aSection({ actions: [anAction('/api/v1/public/deposits/x', { kind: 'loud' })] })]
  ])('is omitted when %s, and the others are kept', (_, wrong) => {
    const { sections, faults } = read([wrong, aSection({ id: 'other' })])
    expect(sections).toEqual([aSection({ id: 'other' })])
    expect(faults).toEqual([expect.stringMatching(/^section 1: ./)])
  })

  test('is omitted when another section has the same id', () => {
    expect(read([aSection(), aSection({ title: 'Again' })])).toEqual({
      sections: [aSection()], faults: ['section 2: its id is taken']
    })
  })

  test.each([[undefined], [null], [{}], ['none']])('cannot be read from %j', (returned) => {
    expect(read(returned)).toEqual({ sections: [], faults: ['it returned no list'] })
  })
})
