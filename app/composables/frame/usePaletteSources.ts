export interface PaletteItem { label: string, suffix?: string, icon?: string, to: string }
/** A search of the command palette. A module adds its own in its layer's `app/staff.ts`. */
export interface PaletteSource {
  id: string
  /** The translation key of the group's heading. */
  label: string
  /** Only people with this permission search here. */
  permission: string
  find (search: string): Promise<PaletteItem[]>
}

/** A page that isn't in the sidebar, such as the form of a new record. */
export interface PalettePlace {
  /** The translation key of the page's name. */
  label: string
  icon: string
  to: string
  /** Only shown to people with this permission. */
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
