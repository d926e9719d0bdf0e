export interface PaletteItem { label: string, suffix?: string, icon?: string, to: string }
/** Where the command palette looks for things. A module adds its own in `app/staff.ts` of its layer. */
export interface PaletteSource {
  id: string
  /** Key of the group's heading. */
  label: string
  /** Asked only of those who have it. */
  permission: string
  find (search: string): Promise<PaletteItem[]>
}

/** A page that the sidebar does not name: a form for something new, a list beside another. */
export interface PalettePlace {
  /** Key of its name. */
  label: string
  icon: string
  to: string
  /** Shown only to those who have it. */
  permission: string
}

const sources = shallowReactive<PaletteSource[]>([])
const places = shallowReactive<PalettePlace[]>([])

export function usePaletteSources() {
  return {
    sources,
    places,
    add(source: PaletteSource) {
      if (!sources.some(({ id }) => id === source.id)) sources.push(source)
    },
    addPlace(place: PalettePlace) {
      if (!places.some(({ to }) => to === place.to)) places.push(place)
    }
  }
}
