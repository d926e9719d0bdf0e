import type { Area, Notation } from '../../shared/domain/teeth.ts'

/** The PDF's texts about teeth; `tests/unit/budget/words.test.ts` compares them with the page's. */
export interface ToothLabels {
  chart: string
  /** Explains the sides of the chart. */
  sides: string
  notation: Record<Notation, string>
  area: Record<Area, string>
}

const en: ToothLabels = {
  chart: 'Dental chart',
  sides: 'Seen from the front: the right side of the mouth is on the left.',
  notation: {
    fdi: 'Teeth are numbered in FDI notation (ISO 3950).',
    universal: 'Teeth are numbered in the Universal Numbering System.',
    palmer: 'Teeth are numbered in Palmer notation.'
  },
  area: {
    full_mouth: 'Full mouth',
    upper_jaw: 'Upper jaw',
    lower_jaw: 'Lower jaw',
    quadrant_1: 'Upper right quadrant',
    quadrant_2: 'Upper left quadrant',
    quadrant_3: 'Lower left quadrant',
    quadrant_4: 'Lower right quadrant',
    sextant_1: 'Upper right sextant',
    sextant_2: 'Upper front sextant',
    sextant_3: 'Upper left sextant',
    sextant_4: 'Lower left sextant',
    sextant_5: 'Lower front sextant',
    sextant_6: 'Lower right sextant'
  }
}

const es: ToothLabels = {
  chart: 'Odontograma',
  sides: 'Vista frontal: el lado derecho de la boca está a la izquierda.',
  notation: {
    fdi: 'Las piezas se numeran según la notación FDI (ISO 3950).',
    universal: 'Las piezas se numeran según el sistema universal.',
    palmer: 'Las piezas se numeran según la notación de Palmer.'
  },
  area: {
    full_mouth: 'Boca completa',
    upper_jaw: 'Arcada superior',
    lower_jaw: 'Arcada inferior',
    quadrant_1: 'Cuadrante superior derecho',
    quadrant_2: 'Cuadrante superior izquierdo',
    quadrant_3: 'Cuadrante inferior izquierdo',
    quadrant_4: 'Cuadrante inferior derecho',
    sextant_1: 'Sextante superior derecho',
    sextant_2: 'Sextante anterosuperior',
    sextant_3: 'Sextante superior izquierdo',
    sextant_4: 'Sextante inferior izquierdo',
    sextant_5: 'Sextante anteroinferior',
    sextant_6: 'Sextante inferior derecho'
  }
}

const fr: ToothLabels = {
  chart: 'Schéma dentaire',
  sides: 'Vue de face\u00A0: le côté droit de la bouche est à gauche.',
  notation: {
    fdi: 'Les dents sont numérotées selon la notation FDI (ISO 3950).',
    universal: 'Les dents sont numérotées selon le système universel.',
    palmer: 'Les dents sont numérotées selon la notation de Palmer.'
  },
  area: {
    full_mouth: 'Toute la bouche',
    upper_jaw: 'Arcade supérieure',
    lower_jaw: 'Arcade inférieure',
    quadrant_1: 'Quadrant supérieur droit',
    quadrant_2: 'Quadrant supérieur gauche',
    quadrant_3: 'Quadrant inférieur gauche',
    quadrant_4: 'Quadrant inférieur droit',
    sextant_1: 'Sextant supérieur droit',
    sextant_2: 'Sextant antérieur supérieur',
    sextant_3: 'Sextant supérieur gauche',
    sextant_4: 'Sextant inférieur gauche',
    sextant_5: 'Sextant antérieur inférieur',
    sextant_6: 'Sextant inférieur droit'
  }
}

const de: ToothLabels = {
  chart: 'Zahnschema',
  sides: 'Von vorn gesehen: Die rechte Seite des Mundes ist links.',
  notation: {
    fdi: 'Zahnbezeichnung nach dem FDI-Schema (ISO 3950).',
    universal: 'Zahnbezeichnung nach dem Universal Numbering System.',
    palmer: 'Zahnbezeichnung nach Palmer.'
  },
  area: {
    full_mouth: 'Gesamtes Gebiss',
    upper_jaw: 'Oberkiefer',
    lower_jaw: 'Unterkiefer',
    quadrant_1: 'Quadrant oben rechts',
    quadrant_2: 'Quadrant oben links',
    quadrant_3: 'Quadrant unten links',
    quadrant_4: 'Quadrant unten rechts',
    sextant_1: 'Sextant oben rechts',
    sextant_2: 'Oberkieferfront',
    sextant_3: 'Sextant oben links',
    sextant_4: 'Sextant unten links',
    sextant_5: 'Unterkieferfront',
    sextant_6: 'Sextant unten rechts'
  }
}

const pt: ToothLabels = {
  chart: 'Odontograma',
  sides: 'Vista de frente: o lado direito da boca fica à esquerda.',
  notation: {
    fdi: 'Os dentes estão numerados segundo a notação FDI (ISO 3950).',
    universal: 'Os dentes estão numerados segundo o sistema universal.',
    palmer: 'Os dentes estão numerados segundo a notação de Palmer.'
  },
  area: {
    full_mouth: 'Boca completa',
    upper_jaw: 'Arcada superior',
    lower_jaw: 'Arcada inferior',
    quadrant_1: 'Quadrante superior direito',
    quadrant_2: 'Quadrante superior esquerdo',
    quadrant_3: 'Quadrante inferior esquerdo',
    quadrant_4: 'Quadrante inferior direito',
    sextant_1: 'Sextante superior direito',
    sextant_2: 'Sextante anterior superior',
    sextant_3: 'Sextante superior esquerdo',
    sextant_4: 'Sextante inferior esquerdo',
    sextant_5: 'Sextante anterior inferior',
    sextant_6: 'Sextante inferior direito'
  }
}

const ar: ToothLabels = {
  chart: 'مخطط الأسنان',
  sides: 'منظر أمامي: الجانب الأيمن من الفم يظهر على اليسار.',
  notation: {
    fdi: 'الأسنان مرقّمة وفق نظام FDI (ISO 3950).',
    universal: 'الأسنان مرقّمة وفق نظام الترقيم العالمي.',
    palmer: 'الأسنان مرقّمة وفق نظام بالمر.'
  },
  area: {
    full_mouth: 'الفم كاملًا',
    upper_jaw: 'الفك العلوي',
    lower_jaw: 'الفك السفلي',
    quadrant_1: 'الربع العلوي الأيمن',
    quadrant_2: 'الربع العلوي الأيسر',
    quadrant_3: 'الربع السفلي الأيسر',
    quadrant_4: 'الربع السفلي الأيمن',
    sextant_1: 'السدس العلوي الأيمن',
    sextant_2: 'السدس الأمامي العلوي',
    sextant_3: 'السدس العلوي الأيسر',
    sextant_4: 'السدس السفلي الأيسر',
    sextant_5: 'السدس الأمامي السفلي',
    sextant_6: 'السدس السفلي الأيمن'
  }
}

const languages: Record<string, ToothLabels> = { en, es, fr, de, pt, ar }

/** For a language returned by `labelsFor`. */
export const toothLabelsFor = (language: string): ToothLabels => languages[language] ?? en
