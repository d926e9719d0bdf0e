/**
 * Answers that mean “send me nothing more”: those that Twilio and most carriers know, and the usual words of our
 * languages, in capitals and without accents.
 */
const STOP_WORDS = new Set([
  'STOP', 'STOPALL', 'STOP ALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT', 'OPT OUT',
  'BAJA', 'ALTO', 'PARAR', 'CANCELAR', 'NO MAS',
  'ARRET', 'ARRETER', 'ARRETEZ', 'DESABONNER',
  'STOPP', 'ABMELDEN', 'ABBESTELLEN',
  'SAIR', 'REMOVER', 'PARE',
  'ايقاف', 'الغاء', 'توقف', 'قف'
])

/** Whether the whole answer is a stop word: "Stop." is one, "Don't stop" is not. */
export function isStop(text: string): boolean {
  const words = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toUpperCase()
  return STOP_WORDS.has(words)
}
