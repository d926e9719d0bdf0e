import { MAX_SITE, placeFaults, readOldPlace, type PlaceFault } from './teeth-input.ts'
import { placeOf, type Place, type Surface } from './teeth.ts'

/** A line's place in a request. `tooth`, and `surfaces` as a text beside it, are the deprecated fields. */
export interface PlaceInput {
  teeth?: string[] | null
  surfaces?: Surface[] | string | null
  area?: Place['area']
  site?: string | null
  tooth?: string | null
}

const OLD = 'This is the old field: leave it out beside teeth, area or site.'

/** The place in the mouth, and what is wrong with it, if anything. */
export function readPlace({ tooth, surfaces, ...given }: PlaceInput): { place: Place, faults: PlaceFault[] } {
  const text = typeof surfaces === 'string' ? surfaces.trim() : ''
  const list = Array.isArray(surfaces) ? surfaces : null
  if (tooth == null) {
    const place = placeOf({ ...given, surfaces: list })
    const faults: PlaceFault[] = text ? [{ path: ['surfaces'], message: 'Must be a list of letters.' }] : []
    return { place, faults: [...faults, ...placeFaults(place)] }
  }
  const old = readOldPlace(tooth, text)
  const place = list ? { ...old, surfaces: list } : old
  const isBeside = given.teeth != null || given.area != null || given.site != null
  const isLong = (place.site ?? '').length > MAX_SITE
  return {
    place,
    faults: [
      ...isBeside ? [{ path: ['tooth'], message: OLD }] : [],
      ...isLong ? [{ path: ['tooth'], message: `With the surfaces at most ${MAX_SITE} characters.` }] : [],
      ...placeFaults(place)
    ]
  }
}
