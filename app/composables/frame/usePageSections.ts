import type { Component } from 'vue'

/**
 * What a module adds to a page of another that does not know it. The component gets the id of what the page shows; on
 * the home page it gets none.
 */
export interface PageSection {
  page: 'home' | 'patient' | 'budget'
  component: Component
  /** Shown to those who have it; permissions are those of running modules only. */
  permission: string
  order: number
}

const sections = shallowReactive<PageSection[]>([])

export function usePageSections() {
  const { can } = useSession()
  return {
    add(section: PageSection) {
      if (!sections.includes(section)) sections.push(section)
    },
    of: (page: PageSection['page']) =>
      sections
        .filter(section => section.page === page && can(section.permission))
        .sort((one, other) => one.order - other.order)
  }
}
