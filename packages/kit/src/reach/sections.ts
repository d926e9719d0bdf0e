import type { Ctx } from '../context.ts'
import type { SectionPages } from '../modules/index.ts'

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
  /** The first 3 are shown. */
  actions?: SectionAction[]
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

export interface Sections {
  /**
   * The sections of all running modules for a page of this module (`<module>.<page>`). Together they have 300 ms.
   * Leaves out what is late, throws, or breaks the rules of `PublicSection`, and logs it as `section.left_out`. Never
   * throws for a fault of another module.
   */
  collect<At extends SectionAt> (page: string, at: At): Promise<readonly CollectedSection[]>
}
