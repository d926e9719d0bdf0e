/**
 * `Soler Puig, Ana` → Ana, Soler Puig: a comma shows the order. Without a comma `order` decides, and the language gives
 * the number of surnames: `Ana de la Cruz Gil` in a Spanish clinic is Ana, de la Cruz Gil. A single word is a first
 * name without a last name.
 */
export function splitName(
  text: string,
  at: { order: 'last_first' | 'first_last', locale: string }
): { first_name: string, last_name?: string }
