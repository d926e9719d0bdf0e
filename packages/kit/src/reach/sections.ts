import type { Ctx } from '../context.ts'
import type { SectionPages, StaffSectionPages } from '../modules/index.ts'

/** A part of another module's public page. Plain text: markup is shown as it is written. */
export interface PublicSection {
  /** Unique in the module: `a-z`, digits, `-` and `_`, at most 50 characters. */
  id: string
  /** One line of at most 200 characters. */
  title: string
  /** Lines of at most 2,000 characters in all. */
  text?: string
  /** Label and value, one line of at most 200 characters each. The first 10 are shown. */
  facts?: [label: string, value: string][]
  /** Shown after the facts, such as the QR code of a transfer. */
  image?: SectionImage
  /** The first 3 are shown. */
  actions?: SectionAction[]
}

export interface SectionImage {
  /** An address by the rules of an action's `href`; a picture from elsewhere is left out. */
  src: string
  /** What the picture shows, for people who don't see it: one line of at most 200 characters. */
  alt: string
  /** In CSS pixels, 1 to 2,000. With both, nothing moves when the picture has loaded. */
  width?: number
  height?: number
}

export interface SectionAction {
  /** One line of at most 100 characters. */
  label: string
  /**
   * An address of this instance below the module's own public paths: `/api/v1/public/<module>/…`, or
   * `<token_base>/x/<module>/…`. An action that leads elsewhere is left out.
   */
  href: string
  kind: 'primary' | 'secondary'
}

/** What the owner of a page says of it; it may say more. */
export interface SectionAt {
  clinic_id: string
  /** The reader's language. */
  locale: string
  /** The page's own address of the API, from the root of the site. */
  token_base: string
}

export type AskSections<At = any> = (ctx: Ctx, at: At) => PublicSection[] | Promise<PublicSection[]>

/** Functions by page. */
export type SectionsFor = { [Page in keyof SectionPages]?: AskSections<SectionPages[Page]> }
  & Record<string, AskSections>

/** A section, and the module that it comes from. */
export interface CollectedSection extends PublicSection { module: string }

/** A part of another module's page for the clinic. Plain text: markup is shown as it is written. */
export interface StaffSection {
  /** Unique in the module: `a-z`, digits, `-` and `_`, at most 50 characters. */
  id: string
  /** One line of at most 200 characters. */
  title: string
  /** Lines of at most 2,000 characters in all. */
  text?: string
  /** Label and value, one line of at most 200 characters each. The first 10 are shown. */
  facts?: [label: string, value: string][]
  table?: SectionTable
}

export interface SectionTable {
  /** At most 8. */
  columns: (string | SectionColumn)[]
  /** A text for each column: one line of at most 200 characters, or empty. The first 50 rows are shown. */
  rows: string[][]
}

export interface SectionColumn {
  /** One line of at most 200 characters. */
  label: string
  /** For numbers: aligned at the end of the line. */
  end?: boolean
}

/** What the owner of a page for the clinic says of it; it may say more. */
export interface StaffSectionAt {
  clinic_id: string
  /** The reader's language. */
  locale: string
}

export type AskStaffSections<At = any> = (ctx: Ctx, at: At) => StaffSection[] | Promise<StaffSection[]>

/** Functions by page. */
export type StaffSectionsFor = { [Page in keyof StaffSectionPages]?: AskStaffSections<StaffSectionPages[Page]> }
  & Record<string, AskStaffSections>

/** A section as the page shows it, and the module that it comes from. */
export interface CollectedStaffSection extends Omit<StaffSection, 'table'> {
  module: string
  /** `more_rows`: how many rows the module gave beyond those that are shown. */
  table?: { columns: Required<SectionColumn>[], rows: string[][], more_rows: number }
}

export interface CollectedStaffSections {
  sections: CollectedStaffSection[]
  /** Modules whose sections were left out, some or all. Say so on the page. */
  left_out: string[]
}

export interface Sections {
  /**
   * The sections of all running modules for a public page of this module (`<module>.<page>`). Together they have
   * 300 ms. Leaves out what is late, throws, or breaks the rules of `PublicSection`, and logs it as `section.left_out`.
   * Never throws for a fault of another module.
   */
  collect<At extends SectionAt> (page: string, at: At): Promise<readonly CollectedSection[]>
  /** The same for a page for the clinic, by the rules of `StaffSection`. The modules have two seconds together. */
  collectForStaff<At extends StaffSectionAt> (page: string, at: At): Promise<CollectedStaffSections>
}
