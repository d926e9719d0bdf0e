import type { Component } from 'vue'

/**
 * A section that a module adds to another module's page, without that module depending on it. The component gets the id
 * of the record that the page shows; the home page has none.
 */
export interface PageSection {
  /**
   * `home`, or the page of a record: `patient`, `budget`, `invoice`, or one that a module's documentation names.
   * `budget-next` is the place of the primary button of an accepted budget.
   */
  page: string
  component: Component
  /** Shown to people with this permission. People only have permissions of running modules. */
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
