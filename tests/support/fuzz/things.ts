import fc, { type Arbitrary } from 'fast-check'

const MAX_KEPT = 40

/** Existing records by the name of their collection, so that calls find some. Filled from answers. */
export interface Things {
  add (collection: string, id: string): void
  /** A record of a collection, or of any collection if it has none. */
  pick (collection: string): Arbitrary<string>
  /** `/budget/budgets/{id}/send` → `budgets` */
  collectionOf (path: string): string
  /** For a member of a body or query: `patient_id` → one of `patients`. Null if the name is not an id's. */
  forMember (name: string): Arbitrary<string> | null
}

export function createThings(): Things {
  const known = new Map<string, string[]>()

  function add(collection: string, id: string) {
    const ids = known.get(collection) ?? []
    if (ids.includes(id)) return
    ids.push(id)
    if (ids.length > MAX_KEPT) ids.splice(5, 1) // the first ones were created to be usable
    known.set(collection, ids)
  }
  // Chosen when the value is needed, so that a record that was just created can be chosen.
  const pick = (collection: string) => fc.tuple(fc.nat(), fc.nat({ max: 19 })).map(([at, odd]) => {
    const own = known.get(collection) ?? []
    const ids = own.length === 0 || odd === 0 ? [...known.values()].flat() : own
    return ids[at % ids.length]!
  })

  return {
    add,
    pick,
    collectionOf: path => path.split('/').slice(0, path.split('/').indexOf('{id}')).at(-1)!,
    forMember: name =>
      known.has(`${name.replace(/_id$/, '')}s`) && name.endsWith('_id') ? pick(`${name.replace(/_id$/, '')}s`) : null
  }
}
