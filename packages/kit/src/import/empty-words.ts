import { foldHeader } from './cells.ts'

/**
 * What people and programs write into a cell without a value, by language, and those of `any` language; see
 * `isEmptyWord`. Case and accents don't matter.
 */
export const EMPTY_WORDS: Readonly<Record<'any' | 'en' | 'es' | 'fr' | 'de' | 'pt' | 'it' | 'ar', readonly string[]>> = {
  any: ['n/a', 'na', 'n.a.', '#n/a', '#n/d', 'nd', 'n/d', 'null', '(null)', 'nil', 'none', 'undefined', 'nan', 'x', 'xx', 'xxx'],
  en: [
    'no', 'no email', 'no mail', 'no phone', 'no number', 'no address', 'not available', 'not known', 'not given', 'unknown',
    'nothing', 'missing', 'without email', 'no data', 'does not have', 'refused', 'not provided', 'empty', 'blank', 'no mobile'
  ],
  es: [
    'sin correo', 'sin email', 'sin mail', 'sin e-mail', 'sin teléfono', 'sin móvil', 'sin tlf', 'sin datos', 'sin dato',
    'sin dirección', 'sin fecha', 'sin nif', 'sin dni', 'ninguno', 'ninguna', 'ningún', 'no tiene', 'no tiene correo',
    'no tiene email', 'no tiene teléfono', 'no consta', 'no procede', 'no aplica', 'no disponible', 'no facilita', 'no da',
    'no sabe', 'no usa', 'no quiere', 'desconocido', 'desconocida', 'pendiente', 'vacío', 'nada', 's/d', 's/n', 's/c', 'n/c',
    'n/t', 'nt'
  ],
  fr: [
    'aucun', 'aucune', 'non', 'néant', 'sans', 'sans mail', 'sans e-mail', 'sans email', 'sans adresse', 'sans téléphone',
    'pas de mail', 'pas d’email', 'pas d’e-mail', 'pas de téléphone', 'pas d’adresse', 'n’a pas', 'non renseigné',
    'non communiqué', 'non connu', 'non disponible', 'inconnu', 'inconnue', 'nc', 'n/c', 'nr', 'vide'
  ],
  de: [
    'keine', 'keiner', 'keins', 'kein', 'keine e-mail', 'keine email', 'keine mail', 'kein telefon', 'kein handy',
    'keine angabe', 'keine angaben', 'ohne', 'nein', 'unbekannt', 'nicht bekannt', 'nicht vorhanden', 'nicht angegeben',
    'fehlt', 'leer', 'k.a.', 'k. a.', 'hat keine', 'hat kein handy', 'entfällt'
  ],
  pt: [
    'sem email', 'sem e-mail', 'sem mail', 'sem telefone', 'sem telemóvel', 'sem morada', 'sem dados', 'sem nif', 'nenhum',
    'nenhuma', 'não tem', 'não tem email', 'não indicado', 'não disponível', 'não aplicável', 'não sabe', 'desconhecido',
    'desconhecida', 'vazio', 'não', 'nada'
  ],
  it: [
    'nessuno', 'nessuna', 'senza', 'senza email', 'senza mail', 'senza telefono', 'non ha', 'non disponibile', 'non fornito',
    'non presente', 'sconosciuto', 'sconosciuta', 'assente', 'manca', 'vuoto', 'nd'
  ],
  ar: ['لا يوجد', 'لايوجد', 'بدون', 'بدون بريد', 'بدون هاتف', 'غير معروف', 'غير متوفر', 'ليس لديه', 'ليس لديها', 'لا شيء']
}

const keyOf = (text: string) => foldHeader(text).replaceAll(' ', '')
let known: Set<string> | undefined

/** True for `-`, `--`, `?` and any text without letters and digits. */
export const isEmptyMark = (text: string): boolean => /^[\p{P}\p{S}\p{Z}]*$/u.test(text)
/** True for the same and for `n/a`, `sin correo`, `keine` …, which stand for a missing value. */
export function isEmptyWord(text: string): boolean {
  // Most cells contain a digit or an @, and none of the words does.
  if (/[\d@]/.test(text)) return false
  known ??= new Set(Object.values(EMPTY_WORDS).flat().map(keyOf))
  return isEmptyMark(text) || (text.length <= 30 && known.has(keyOf(text)))
}
