/** Forms of a letter, by its position: isolated, final, initial and medial. */
type Forms = [alone: number, end?: number, start?: number, inside?: number]

const TRANSPARENT = /^\p{Mn}$/u
/** The tatweel, which stretches words, joins on both sides and always looks the same. */
const STROKE = 'ـ'

/**
 * Arabic as it will be drawn, in the forms that letters take beside each other (Unicode's presentation forms, 9.2).
 * Only for measuring: what is drawn stays plain text and is joined by the font engine, with glyphs of the same widths.
 */
export function joined(text: string): string {
  const characters = Array.from(
    text.replace(/ل(\p{Mn}*)([اآأإ])/gu, (_, signs: string, alif: string) => LIGATURES.get(`ل${alif}`)! + signs)
  )
  return characters.map((character, at) => {
    const forms = FORMS.get(character)
    if (!forms) return character
    const after = joinsForward(neighbour(characters, at, -1)) ? 1 : 0
    const before = forms.length > 2 && joinsBack(neighbour(characters, at, 1)) ? 2 : 0
    return String.fromCodePoint(forms[after + before] ?? forms[0])
  }).join('')
}

/** The neighbouring letter. Vowel signs are on a letter and don't separate letters. */
function neighbour(characters: string[], at: number, step: 1 | -1): string {
  let index = at + step
  while (TRANSPARENT.test(characters[index] ?? '')) index += step
  return characters[index] ?? ''
}

const joinsForward = (character: string): boolean => character === STROKE || (FORMS.get(character)?.length ?? 0) > 2
const joinsBack = (character: string): boolean => character === STROKE || (FORMS.get(character)?.length ?? 0) > 1

/** Reads the forms from Unicode's two blocks, in which each decomposes into its letter, or into lām and alif. */
function readForms(): [Map<string, Forms>, Map<string, string>] {
  const found = new Map<string, number[]>()
  for (let form = 0xFB50; form <= 0xFEFC; form++) {
    const plain = String.fromCodePoint(form).normalize('NFKC')
    if (/^(?:\p{Script=Arabic}|ل[اآأإ])$/u.test(plain)) found.set(plain, [...found.get(plain) ?? [], form])
  }
  // The first block has the initial and medial forms of alif maqṣūra, the second the isolated and final ones.
  found.set('ى', [0xFEEF, 0xFEF0, 0xFBE8, 0xFBE9])
  const forms = new Map<string, Forms>()
  const ligatures = new Map<string, string>()
  for (const [plain, [alone, ...others]] of found) {
    const name = plain.length === 1 ? plain : String.fromCodePoint(alone!)
    if (name !== plain) ligatures.set(plain, name)
    forms.set(name, [alone!, ...others] as Forms)
  }
  return [forms, ligatures]
}

const [FORMS, LIGATURES] = readForms()
