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

const sources = shallowReactive<PaletteSource[]>([])

export function usePaletteSources() {
  return {
    sources,
    add(source: PaletteSource) {
      if (!sources.some(({ id }) => id === source.id)) sources.push(source)
    }
  }
}
