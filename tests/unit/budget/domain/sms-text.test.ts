import { describe, expect, test } from 'vitest'
import { fitSms, smsLength, toSmsLetters } from '../../../../layers/budget/shared/domain/sms-text.ts'

describe('the length of an SMS text is calculated:', () => {
  test.each([
    ['plain letters count as one character', 'Clinica Peñalver: €', 20, 160],
    ['brackets count as two characters', '[x]', 5, 160],
    ['one letter outside the alphabet makes every character need two bytes', 'Clínica', 7, 70],
    ['an Arabic text has room for 70 characters', 'عرض السعر', 9, 70]
  ])('%s', (_, text, taken, most) => expect(smsLength(text)).toEqual({ taken, most }))
})

describe('the conversion to the SMS alphabet', () => {
  test('removes accents that the alphabet lacks, and keeps those that it has', () => {
    expect(toSmsLetters('Clínica Peñalver à Évora – “São João” l’été')).toBe('Clinica Peñalver à Évora - "Sao Joao" l\'été')
  })
  test('leaves letters of other scripts unchanged', () => {
    expect(toSmsLetters('عيادة أُعدّت Ωmega Жизнь')).toBe('عيادة أُعدّت Ωmega Жизнь')
  })
})

describe('the shortening of an SMS text', () => {
  const write = (name: string) => `${name}: ${'x'.repeat(130)}`
  test('keeps a name that fits', () => expect(fitSms('Sol', write)).toBe(write('Sol')))
  test('shortens a name that does not fit', () => {
    const text = fitSms('Centro Odontologico Internacional de Madrid', write)
    expect(text).toBe(write('Centro Odontologico Interna.'))
    expect(text.length).toBe(160)
  })
  test('keeps the name when a shorter one would not help', () => {
    const long = (name: string) => `${name}: ${'x'.repeat(200)}`
    expect(fitSms('Centro Odontologico', long)).toBe(long('Centro Odontologico'))
  })
})
