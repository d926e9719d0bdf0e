import type { WireDiscount } from '../../shared/domain/discount.ts'
import type { Rule } from '../../shared/domain/selection.ts'
import type { Surface } from '../../shared/domain/teeth.ts'

/** A line by the code of the demo's treatment. */
export interface DemoLine {
  code: string
  quantity?: number
  discount?: WireDiscount
  teeth?: string[]
  surfaces?: Surface[]
  notes?: string
}

/** A choice for the patient. */
export interface DemoChoice {
  title: string
  rule: Rule
  options: { title: string, description?: string, recommended?: boolean, lines: DemoLine[] }[]
}

/** The final state of the story. */
export type Ending
  = | 'draft'
    | 'unassigned_draft'
    | 'sent'
    | 'mailed'
    | 'viewed'
    | 'asked'
    | 'locked'
    | 'accepted'
    | 'accepted_in_clinic'
    | 'accepted_in_person'
    | 'rejected'
    | 'rejected_in_clinic'
    | 'expired'
    | 'cancelled'
    | 'superseded'

export interface Story {
  /** The budget's internal note, by which it is found again. */
  note: string
  /** The patient's name in the clinic. */
  patient: string
  professional: string
  ending: Ending
  /** Age of the budget in days. */
  days_ago: number
  /** Days until it expires; defaults to the clinic's setting. */
  valid_days?: number
  global_discount?: WireDiscount
  patient_notes?: string
  lines: DemoLine[]
  choices?: DemoChoice[]
}

const CASTANO = 'Castaño Múgica'
const RINCON = 'Rincón Peña'
const percent = (value: string): WireDiscount => ({ type: 'percent', value })
const amount = (value: string): WireDiscount => ({ type: 'amount', value })

/** The whole mouth, with 25 lines, to show how lists and documents flow. */
const WHOLE_MOUTH: DemoLine[] = [
  { code: 'DIA-01' },
  { code: 'DIA-02' },
  { code: 'DIA-04' },
  { code: 'PER-01' },
  { code: 'PER-02', quantity: 4, discount: percent('10') },
  { code: 'PRE-01' },
  { code: 'SUR-01', teeth: ['18'] },
  { code: 'SUR-02', teeth: ['48'] },
  { code: 'SUR-03', teeth: ['36'] },
  { code: 'IMP-01', teeth: ['36'], discount: amount('90.00') },
  { code: 'IMP-02', teeth: ['36'] },
  { code: 'IMP-01', teeth: ['46'], discount: amount('90.00') },
  { code: 'IMP-02', teeth: ['46'] },
  { code: 'END-03', teeth: ['26'] },
  { code: 'RES-03', teeth: ['26'], surfaces: ['M', 'O', 'D'] },
  { code: 'PRO-01', teeth: ['26'] },
  { code: 'RES-01', teeth: ['14'], surfaces: ['O'] },
  { code: 'RES-02', teeth: ['15'], surfaces: ['M', 'O'] },
  { code: 'RES-02', teeth: ['24'], surfaces: ['D', 'O'] },
  { code: 'RES-01', teeth: ['44'], surfaces: ['V'], discount: percent('7.5') },
  { code: 'PRE-03', quantity: 2, teeth: ['37', '47'] },
  { code: 'PRE-02' },
  { code: 'PRO-03' },
  { code: 'AES-01', discount: percent('15') },
  { code: 'AES-03', quantity: 2 }
]

/** "Yes, but not the implant": the molar as implant or bridge, and a splint as an extra. */
const MOLAR: DemoChoice[] = [
  {
    title: 'Cómo reponer la muela que falta',
    rule: 'exactly_one',
    options: [
      {
        title: 'Puente de tres piezas',
        description: 'Se apoya en los dientes vecinos, que hay que tallar. Listo en tres semanas.',
        lines: [{ code: 'PRO-01', quantity: 3, teeth: ['45', '46', '47'] }]
      },
      {
        title: 'Implante con corona',
        description: 'Un diente fijo nuevo, sin tocar los vecinos. La corona se coloca a los tres meses.',
        recommended: true,
        lines: [{ code: 'IMP-01', teeth: ['46'] }, { code: 'IMP-02', teeth: ['46'] }]
      }
    ]
  },
  {
    title: 'Limpieza antes de empezar',
    rule: 'at_most_one',
    options: [{ title: 'Limpieza dental', lines: [{ code: 'PRE-01' }] }]
  }
]

export const STORIES: Story[] = [
  {
    note: 'Demo 1: aceptado por el enlace, con firma dibujada y descuento global.',
    patient: 'Siobhán O’Brien',
    professional: CASTANO,
    ending: 'accepted',
    days_ago: 64,
    global_discount: percent('5'),
    patient_notes: 'The root canal takes two visits of one hour.',
    lines: [
      { code: 'DIA-03', teeth: ['16'] },
      { code: 'END-03', teeth: ['16'] },
      { code: 'RES-03', teeth: ['16'], surfaces: ['M', 'O', 'D'], discount: percent('10') },
      { code: 'PRO-01', teeth: ['16'] }
    ]
  },
  {
    note: 'Demo 2: aceptado en la clínica por la madre de un menor.',
    patient: 'Martín Güell Ybarra',
    professional: RINCON,
    ending: 'accepted_in_clinic',
    days_ago: 96,
    lines: [
      { code: 'DIA-01' },
      { code: 'PRE-03', quantity: 4, teeth: ['16', '26', '36', '46'] },
      { code: 'PRE-02', discount: percent('20') }
    ]
  },
  {
    note: 'Demo 3: rechazado por el enlace, por el precio.',
    patient: 'Begoña Ñíguez López',
    professional: RINCON,
    ending: 'rejected',
    days_ago: 41,
    lines: [
      { code: 'IMP-01', teeth: ['24'] },
      { code: 'IMP-02', teeth: ['24'] },
      { code: 'SUR-03', teeth: ['24'], notes: 'Valorar tras el TAC.' }
    ]
  },
  {
    note: 'Demo 4: rechazado en la clínica.',
    patient: 'Leïla Haddad',
    professional: CASTANO,
    ending: 'rejected_in_clinic',
    days_ago: 127,
    lines: [{ code: 'ORT-01' }, { code: 'ORT-02', discount: amount('250.00') }]
  },
  {
    note: 'Demo 5: caducado sin respuesta.',
    patient: 'Zoé Lefèvre-Bœuf',
    professional: CASTANO,
    ending: 'expired',
    days_ago: 45,
    lines: [{ code: 'AES-01' }, { code: 'PRE-01' }]
  },
  {
    note: 'Demo 6: cancelado por la clínica.',
    patient: 'Jürgen Großkreuz',
    professional: RINCON,
    ending: 'cancelled',
    days_ago: 72,
    lines: [{ code: 'PRO-02' }, { code: 'SUR-01', quantity: 2, teeth: ['17', '27'] }]
  },
  {
    note: 'Demo 7: revisado; la segunda versión, más barata, está abierta.',
    patient: 'João Conceição Araújo',
    professional: CASTANO,
    ending: 'superseded',
    days_ago: 12,
    lines: [
      { code: 'END-02', teeth: ['25'] },
      { code: 'RES-02', teeth: ['25'], surfaces: ['M', 'O'] },
      { code: 'PRO-01', teeth: ['25'] }
    ]
  },
  {
    note: 'Demo 8: plan completo de 25 líneas, con descuentos por línea y global.',
    patient: 'Iker Etxeberria Goñi',
    professional: RINCON,
    ending: 'sent',
    days_ago: 9,
    valid_days: 60,
    global_discount: percent('3.5'),
    patient_notes:
      'Plan por fases: primero las encías y las extracciones, después los implantes y al final la estética.\nSe puede pagar en doce plazos sin intereses.',
    lines: WHOLE_MOUTH
  },
  {
    note: 'Demo 9: enviado por correo, sin abrir todavía.',
    patient: 'José Ángel Muñoz Ibáñez',
    professional: RINCON,
    ending: 'mailed',
    days_ago: 5,
    valid_days: 4,
    lines: [{ code: 'PER-01' }, { code: 'PER-02', quantity: 2, discount: percent('12.5') }, { code: 'PER-03' }]
  },
  {
    note: 'Demo 10: abierto y leído, con descuento en importe.',
    patient: 'James Whitaker-Jones',
    professional: CASTANO,
    ending: 'viewed',
    days_ago: 4,
    global_discount: amount('100.00'),
    patient_notes: 'Please tell us before June if you want to start this year.',
    lines: [
      { code: 'IMP-01', teeth: ['15'] },
      { code: 'IMP-02', teeth: ['15'] },
      { code: 'AES-02', discount: percent('50') }
    ]
  },
  {
    note: 'Demo 11: enlace bloqueado tras cinco códigos erróneos.',
    patient: 'Lucía Fernández Álvarez',
    professional: CASTANO,
    ending: 'locked',
    days_ago: 3,
    lines: [{ code: 'AES-01', discount: percent('10') }, { code: 'PRE-01' }]
  },
  {
    note: 'Demo 12: borrador listo para enviar.',
    patient: 'Lucía Fernández Álvarez',
    professional: RINCON,
    ending: 'draft',
    days_ago: 1,
    global_discount: amount('15.00'),
    lines: [
      { code: 'RES-01', teeth: ['36'], surfaces: ['O'] },
      { code: 'RES-02', teeth: ['37'], surfaces: ['M', 'O'], discount: amount('5.00') }
    ]
  },
  {
    note: 'Demo 13: borrador sin profesional asignado.',
    patient: 'José Ángel Muñoz Ibáñez',
    professional: RINCON,
    ending: 'unassigned_draft',
    days_ago: 0,
    lines: [{ code: 'PRO-03' }]
  },
  {
    note: 'Demo 14: aceptado en la clínica; su factura está emitida.',
    patient: 'Begoña Ñíguez López',
    professional: CASTANO,
    ending: 'accepted_in_person',
    days_ago: 38,
    lines: [{ code: 'RES-02', teeth: ['15'], surfaces: ['M', 'O'] }, { code: 'PRE-01' }]
  },
  {
    note: 'Demo 15: aceptado en la clínica; su factura se anuló.',
    patient: 'Leïla Haddad',
    professional: RINCON,
    ending: 'accepted_in_person',
    days_ago: 101,
    lines: [{ code: 'PRE-03', teeth: ['26'] }]
  },
  {
    note: 'Demo 16: aceptado en la clínica; su factura espera como borrador.',
    patient: 'Zoé Lefèvre-Bœuf',
    professional: CASTANO,
    ending: 'accepted_in_person',
    days_ago: 9,
    global_discount: percent('10'),
    lines: [{ code: 'AES-01' }, { code: 'AES-02' }]
  },
  {
    note: 'Demo 17: el paciente elige entre implante y puente, y pregunta.',
    patient: 'Lucía Fernández Álvarez',
    professional: CASTANO,
    ending: 'asked',
    days_ago: 2,
    global_discount: percent('5'),
    lines: [{ code: 'DIA-02' }],
    choices: MOLAR
  },
  {
    note: 'Demo 18: aceptado en parte: el puente, sin la limpieza.',
    patient: 'Begoña Ñíguez López',
    professional: RINCON,
    ending: 'accepted',
    days_ago: 20,
    lines: [{ code: 'DIA-02' }],
    choices: MOLAR
  }
]

/** Saved from the story with this note. */
export const TEMPLATE = {
  name: 'Implante o puente',
  note: 'Demo 17: el paciente elige entre implante y puente, y pregunta.'
}

/** The budget that is always open: after a decision on it, the next run creates another. */
export const OPEN_STORY: Story = {
  note: 'Demo: siempre hay uno abierto, con el código 246810.',
  patient: 'Núria Puig i Ferrer', professional: CASTANO, ending: 'sent', days_ago: 0, global_discount: percent('5'),
  patient_notes: 'La corona se coloca unas dos semanas después de la endodoncia.',
  lines: [
    { code: 'DIA-03', teeth: ['46'] },
    { code: 'END-03', teeth: ['46'], discount: percent('10') },
    { code: 'RES-03', teeth: ['46'], surfaces: ['M', 'O', 'D'] },
    { code: 'PRO-01', teeth: ['46'] },
    { code: 'AES-02', discount: amount('20.00') }
  ]
}

export const DEMO_CODE = '246810'
