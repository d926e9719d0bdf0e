type Side = 'left' | 'right'

const RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * A line as the pieces to draw from left to right, each of one direction: the font engine turns a piece of Arabic around and
 * joins its letters, but would turn the numbers in it around too. Two levels of UAX 9 are enough for names, notes and addresses.
 */
export function visualRuns(line: string): string[] {
  if (!RIGHT.test(line)) return [line]
  const base: Side = RIGHT.test(line.match(/\p{L}/u)![0]) ? 'right' : 'left'
  const characters = Array.from(graphemes.segment(line), ({ segment }) => segment)
  const strong = characters.map((character, at) => sideOf(character, characters[at + 1]))
  const runs: { side: Side, text: string }[] = []
  characters.forEach((text, at) => {
    const side = strong[at] ?? between(strong, at, base)
    if (runs.at(-1)?.side === side) runs.at(-1)!.text += text
    else runs.push({ side, text })
  })
  const drawn = runs.map(({ side, text }) => side === 'right' ? turned(text) : text)
  return base === 'right' ? drawn.reverse() : drawn
}

/** Letters and numbers have a side; what stands between them has not. A sign belongs to its number. */
function sideOf(character: string, next = ''): Side | null {
  if (RIGHT.test(character)) return 'right'
  return /[\p{L}\p{Nd}]/u.test(character) || (/[+−-]/.test(character) && /\p{Nd}/u.test(next)) ? 'left' : null
}

function between(strong: (Side | null)[], at: number, base: Side): Side {
  const before = strong.slice(0, at).findLast(side => side !== null) ?? base
  const after = strong.slice(at).find(side => side !== null) ?? base
  return before === after ? before : base
}

const PAIRS = '()[]{}<>«»'

/** Brackets look the other way; a piece without letters is not turned by the font engine. */
function turned(text: string): string {
  const mirrored = text.replace(/[()[\]{}<>«»]/g, bracket => PAIRS[PAIRS.indexOf(bracket) ^ 1]!)
  return RIGHT.test(text) ? mirrored : Array.from(mirrored).reverse().join('')
}
