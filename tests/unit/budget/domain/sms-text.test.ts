import { describe, expect, test } from 'vitest'
import { fitSms, smsLength, toSmsLetters } from '../../../../layers/budget/shared/domain/sms-text.ts'

describe('the length of a text', () => {
  test.each([
    ['plain letters count once', 'Clinica Peñalver: €', 20, 160],
    ['brackets count twice', '[x]', 5, 160],
    ['one letter beyond the alphabet makes every place count for two bytes', 'Clínica', 7, 70],
    ['Arabic has 70 places', 'عرض السعر', 9, 70]
  ])('%s', (_, text, taken, most) => expect(smsLength(text)).toEqual({ taken, most }))
})

describe('letters', () => {
  test('lose the accents that the alphabet lacks, and keep those that it has', () => {
    expect(toSmsLetters('Clínica Peñalver à Évora – “São João” l’été')).toBe('Clinica Peñalver à Évora - "Sao Joao" l\'été')
  })
  test('of other scripts stay as they are', () => {
    expect(toSmsLetters('عيادة أُعدّت Ωmega Жизнь')).toBe('عيادة أُعدّت Ωmega Жизнь')
  })
})

describe('a text that has to fit', () => {
  const write = (name: string) => `${name}: ${'x'.repeat(130)}`
  test('keeps a name that fits', () => expect(fitSms('Sol', write)).toBe(write('Sol')))
  test('shortens a name that does not', () => {
    const text = fitSms('Centro Odontologico Internacional de Madrid', write)
    expect(text).toBe(write('Centro Odontologico Interna.'))
    expect(text.length).toBe(160)
  })
  test('leaves the name alone where shortening it does not help', () => {
    const long = (name: string) => `${name}: ${'x'.repeat(200)}`
    expect(fitSms('Centro Odontologico', long)).toBe(long('Centro Odontologico'))
  })
})
