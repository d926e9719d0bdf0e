/**
 * `Soler Puig, Ana` → Ana, Soler Puig: a comma says the order of itself. Without one `order` does, and the language how
 * many surnames people have: `Ana de la Cruz Gil` of a Spanish clinic is Ana, de la Cruz Gil. A single word is a first
 * name without a last name.
 */
export function splitName(
  text: string,
  at: { order: 'last_first' | 'first_last', locale: string }
): { first_name: string, last_name?: string }
