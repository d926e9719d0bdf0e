import type { RouteLocationRaw } from 'vue-router'

/** A record that needs attention: two lines, each with a second text at its end. */
export interface AttentionEntry {
  id: string
  to: RouteLocationRaw
  label: string
  value?: string
  /** Such as the record's number. */
  hint?: string
  note?: string
}

/** Records that need attention for the same reason. */
export interface AttentionKind {
  /** The translated reason. */
  label: string
  icon: string
  /** How many there are. A kind without any is not shown. */
  total: number
  /** The list of all of them. */
  to: RouteLocationRaw
  /** The first few. */
  entries: AttentionEntry[]
}

/** What a module adds to "Needs attention" on the home page. A module adds its own in its layer's `app/staff.ts`. */
export interface AttentionSource {
  /** The module's name. */
  id: string
  /** Only people with this permission see it. */
  permission: string
  order: number
  /** Called once by the section. It returns the function that loads the kinds, every 15 seconds. */
  useFind: () => (signal: AbortSignal) => Promise<AttentionKind[]>
}

const sources = shallowReactive<AttentionSource[]>([])

export function useAttention() {
  const { can } = useSession()
  return {
    add(source: AttentionSource) {
      if (!sources.some(({ id }) => id === source.id)) sources.push(source)
    },
    own: () => sources.filter(({ permission }) => can(permission)).sort((one, other) => one.order - other.order)
  }
}
