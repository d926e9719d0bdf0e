import type { Counts } from '../../../shared/contract.ts'

/** What a treatment counts → what files call it. Case, accents and punctuation don’t matter. */
export const COUNT_WORDS: Record<Counts, readonly string[]> = {
  tooth: [
    'tooth', 'teeth', 'per tooth', 'each tooth', 'diente', 'por diente', 'dientes', 'dent', 'par dent', 'zahn', 'je zahn',
    'pro zahn', 'dente', 'por dente', 'per dente', 'السن', 'لكل سن', 'سن'
  ],
  piece: [
    'piece', 'per piece', 'unit', 'per unit', 'each', 'quadrant', 'per quadrant', 'arch', 'per arch', 'unidad',
    'por unidad', 'pieza', 'cuadrante', 'por cuadrante', 'arcada', 'por arcada', 'unité', 'par unité', 'pièce',
    'par quadrant', 'par arcade', 'stück', 'je stück', 'pro stück', 'je quadrant', 'je kiefer', 'unidade', 'por unidade',
    'peça', 'quadrante', 'por quadrante', 'unità', 'per unità', 'pezzo', 'قطعة', 'لكل قطعة', 'وحدة'
  ],
  once: [
    'once', 'one time', 'single', 'session', 'per session', 'visit', 'una vez', 'único', 'única', 'sesión', 'por sesión',
    'une fois', 'unique', 'forfait', 'séance', 'par séance', 'einmal', 'einmalig', 'pauschal', 'je sitzung', 'sitzung',
    'uma vez', 'sessão', 'por sessão', 'una volta', 'seduta', 'مرة واحدة', 'مرة', 'جلسة'
  ]
}
