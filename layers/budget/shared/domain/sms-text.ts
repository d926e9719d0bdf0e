/**
 * The characters of one SMS: 160 of GSM 03.38's alphabet, 70 of UCS-2 if the text has any other. Those of the extension
 * table count twice (3GPP TS 23.038, 6.2.1).
 */
const BASIC = '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const EXTENDED = '^{}\\[~]|€'

/** How many places of one SMS the text takes, and how many there are. */
export function smsLength(text: string): { taken: number, most: number } {
  let taken = 0
  for (const character of text) {
    if (EXTENDED.includes(character)) taken += 2
    else if (BASIC.includes(character)) taken += 1
    else return { taken: text.length, most: 70 }
  }
  return { taken, most: 160 }
}

const fits = (text: string) => {
  const { taken, most } = smsLength(text)
  return taken <= most
}

/** Letters of the Latin script that the alphabet lacks: `Clínica` → `Clinica`. Other scripts stay as they are. */
export const toSmsLetters = (text: string): string =>
  [...text.normalize('NFC').replace(/[’‘]/g, '\'').replace(/[“”]/g, '"').replace(/[–—]/g, '-').replaceAll('\u00A0', ' ')]
    .map(letter => BASIC.includes(letter) ? letter : withoutAccent(letter))
    .join('')

function withoutAccent(letter: string): string {
  const plain = letter.normalize('NFD').replace(/\p{M}/gu, '')
  return plain !== '' && BASIC.includes(plain) ? plain : letter
}

/** The text with as much of the name as one SMS has room for. A name that would nearly vanish is left as it is. */
export function fitSms(name: string, write: (name: string) => string): string {
  const whole = write(name)
  if (fits(whole)) return whole
  const letters = [...name]
  for (let length = letters.length - 1; length >= Math.min(8, letters.length); length--) {
    const text = write(`${letters.slice(0, length).join('').trimEnd()}.`)
    if (fits(text)) return text
  }
  return whole
}
