import { describe, expect, test } from 'vitest'
import type { Mark } from '@svc/sheet/layout/marks.ts'
import { PAGE } from '@svc/sheet/layout/style.ts'
import { aDecision, aDocument, layOutBudget } from '../../support/documents/budget-document.ts'

type Text = Extract<Mark, { kind: 'text' }>
const textsOf = (marks: Mark[]) => marks.filter((mark): mark is Text => mark.kind === 'text')
const wordsOf = (marks: Mark[]) => textsOf(marks).map(mark => mark.text)

const CLAUSES = [
  { title: 'Señal', text: 'Se paga el 30 %\nal aceptar.' },
  { title: 'Cancelación', text: 'Avise con 24 horas.' }
]

describe('the conditions of a document', () => {
  test('are between notes and acceptance, each text below its title', () => {
    const { pages } = layOutBudget(aDocument({ notes: 'En tres visitas.', clauses: CLAUSES, decision: aDecision() }))
    const wanted = [
      'En tres visitas.', 'Condiciones', 'Señal', 'Se paga el 30 %', 'al aceptar.', 'Cancelación', 'Avise con 24 horas.',
      'Aceptación'
    ]
    expect(pages.flatMap(wordsOf).filter(word => wanted.includes(word))).toEqual(wanted)
    const shown = textsOf(pages[0]!).filter(({ text }) => wanted.includes(text))
    const baselines = shown.map(({ baseline }) => baseline)
    expect(baselines).toEqual(baselines.toSorted((a, b) => a - b))
    expect(shown.find(({ text }) => text === 'Señal')!.face).toBe('bold')
  })

  test('have no heading if there are none, and the rest of the document is unchanged', () => {
    const { pages } = layOutBudget(aDocument({ clauses: [] }))
    expect(wordsOf(pages[0]!)).not.toContain('Condiciones')
  })

  test('continue on further pages, and a title stays with the first two lines of its text', () => {
    const clauses = Array.from({ length: 10 }, (_, index) => ({
      title: `Cláusula ${index}`,
      text: Array.from({ length: 14 }, (_, line) => `línea ${index}.${line}`).join('\n')
    }))
    const { pages } = layOutBudget(aDocument({ clauses }))
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.flatMap(wordsOf).filter(word => word.startsWith('línea'))).toHaveLength(140)
    for (const { title } of clauses) {
      const page = pages.find(page => wordsOf(page).includes(title))!
      const index = title.split(' ')[1]
      expect(wordsOf(page)).toEqual(expect.arrayContaining([`línea ${index}.0`, `línea ${index}.1`]))
    }
    for (const page of pages)
      for (const mark of textsOf(page)) expect(mark.baseline).toBeLessThan(PAGE.height - 20)
  })
})
