// Words that belong to the next word: “de la Cruz”, “van der Berg”, “von Arnim”, “el Amrani”, “ben Ali”.
const BEFORE = new Set(
  ('a al ap af av bar ben bin bint da dal dalla dal das de degli dei del della delle den der des di do dos du el el- ibn '
    + 'l la las le les lo los mac mc o san santa st st. saint te ten ter ’t \'t van vander vom von zu zum zur ابن بن بنت ال أبو ابو')
    .split(' ')
)
// Words that join their two neighbours: “Ortega y Gasset”.
const BETWEEN = new Set(['y', 'i', 'e'])
// Second given names of Spanish and Portuguese: “María José”, “Juan Carlos”.
const SECOND = new Set(
  ('alberto alejandro alfonso alicia amparo ana andres angel angeles angela antonia antonio asuncion beatriz belen carlos '
    + 'carmen clara concepcion consuelo cristina cruz daniel david dolores eduardo elena emilia enrique esther eugenia '
    + 'eulalia eva felipe fernanda fernando francisca francisco gabriel gabriela gloria guadalupe ignacio ines inmaculada '
    + 'isabel jaime javier jesus joao joaquin jorge jose juan julia laura leonor lourdes lucia luis luisa luiz magdalena '
    + 'manuel manuela mar maria mercedes miguel montserrat nieves nuria pablo paula paulo paz pedro pilar rafael ramon raquel '
    + 'remedios ricardo rita roberto rocio rosa rosario sofia sol soledad susana teresa tomas vicente victoria ma')
    .split(' ')
)
// In these languages people have two surnames.
const TWO_SURNAMES = new Set(['es', 'pt'])

type Order = 'last_first' | 'first_last'

const plain = (word: string) => word.normalize('NFKD').replace(/\p{M}/gu, '').replace(/\.$/, '').toLowerCase()

/**
 * `Soler Puig, Ana` → Ana, Soler Puig: a comma shows the order. Without a comma `order` decides, and the language gives
 * the number of surnames: `Ana de la Cruz Gil` in a Spanish clinic is Ana, de la Cruz Gil. A single word is a first
 * name without a last name.
 */
export function splitName(
  text: string,
  { order, locale }: { order: Order, locale: string }
): { first_name: string, last_name?: string } {
  const [before, ...after] = text.split(/[,،]/).map(part => part.trim()) as [string, ...string[]]
  const behind = after.filter(Boolean).join(', ')
  if (before && behind) return { last_name: before, first_name: behind }
  const units = unitsOf(before || behind)
  if (units.length < 2) return { first_name: units[0] ?? '' }
  const places = TWO_SURNAMES.has(locale.split('-')[0]!.toLowerCase())
    ? ofTwoSurnames(units, order)
    : order === 'last_first' ? 1 : units.length - 1
  const [head, tail] = [units.slice(0, places).join(' '), units.slice(places).join(' ')]
  return order === 'last_first' ? { last_name: head, first_name: tail } : { first_name: head, last_name: tail }
}

/** Groups each word with the particles that belong to it. */
function unitsOf(text: string): string[] {
  const units: string[] = []
  let open = ''
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const isBetween = BETWEEN.has(plain(word)) && units.length > 0 && open === ''
    if (isBetween) {
      open = `${units.pop()} ${word} `
    } else if (BEFORE.has(plain(word))) {
      open += `${word} `
    } else {
      units.push(open + word)
      open = ''
    }
  }
  return open ? [...units, open.trim()] : units
}

/** The number of units in the part that comes first. */
function ofTwoSurnames(units: string[], order: Order): number {
  const [first, second, third] = units
  if (first === undefined || second === undefined || third === undefined) return 1
  if (order === 'last_first') return units.length === 3 && isCompound(second, third) ? 1 : 2
  if (units.length > 3) return units.length - 2
  return isCompound(first, second) ? 2 : 1
}

/** True for “María José” and “María del Carmen”. In “Ana de la Cruz” the second unit is a surname. */
function isCompound(first: string, second: string): boolean {
  const name = plain(second.split(' ').at(-1)!)
  return SECOND.has(plain(first)) && SECOND.has(name) && (!second.includes(' ') || /^ma(?:ria)?$/.test(plain(first)))
}
