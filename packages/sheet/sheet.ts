/** A stored picture. Types other than PNG and JPEG are left out. */
export interface Picture { type: string, bytes: Uint8Array }

export interface Letterhead {
  name: string
  address: string | null
  phone: string | null
  email: string | null
  /** `#rrggbb`, used for one line. */
  accent_color: string | null
  logo: Picture | null
}

/** A label above its value. */
export type Fact = [label: string, value: string]

export interface Title {
  title: string
  /** A word in a rounded shape; null for none. */ state: string | null
  number: string
  /** Below the number. */ below: string
}

export interface Column {
  title: string
  /**
   * `name` is the first column and takes the remaining width; `detail` is narrow text beside it. The others are
   * figures, as wide as their widest: `struck` is struck through, and `amount` is bold.
   */
  kind: 'name' | 'detail' | 'figure' | 'struck' | 'amount'
}

export interface Sums {
  /** Sums that lead to the total. */ above: Fact[]
  total: Fact
  /** Sums that follow from the total. */ below: Fact[]
  remark: string | null
}

/** Who accepted, how and when. */
export interface Acceptance {
  title: string
  statement: string
  facts: Fact[]
  /** The digest of the accepted content. */
  digest: Fact
  signature: {
    label: string
    name: string
    method: 'click' | 'typed' | 'drawn'
    /** PNG of a drawn signature. */ image: Uint8Array | null
    /** Shown instead of a signature after a click. */ sentence: string
  }
  /** Where anyone can check the file. */
  check: { title: string, url: string, hint: string }
}

/** A closed or open shape of a drawing. Later ones cover earlier ones. */
export interface Shape {
  /** SVG path data: absolute M, L, C and Z, nothing else. */
  path: string
  /** `#rrggbb`; null for no fill. */ fill: string | null
  stroke: string | null
  /** The stroke's width in points. */ width: number
  /** Colour of oblique lines inside the shape. */ hatch?: string
}

/** A vector drawing in its own units, from the top left corner. It isn't mirrored on a right-to-left page. */
export interface Drawing {
  width: number
  height: number
  shapes: Shape[]
  /** Centred on their coordinates. */
  texts: { text: string, x: number, y: number, bold: boolean, color: string }[]
}

/** A drawing below a heading, and the same as text below it. */
export interface Figure {
  title: string
  /** Explains the drawing. */ remark: string
  drawing: Drawing
  list: Fact[]
}

/** An option: a title with its amount, and its lines. */
export interface OfferOption {
  title: string
  /** A word that highlights it. */ badge: string | null
  text: string | null
  amount: string
  /** Names and amounts. */ lines: [name: string, amount: string][]
}
/** Options under a heading. */
export interface Offer { title: string, remark: string | null, options: OfferOption[] }

/** Rows of a table that belong together below their titles. It may have no rows. */
export interface Section { title: string, answer: string, rows: string[][] }

/** A document in plain values. All text is in the reader's language and ready to print. */
export interface Sheet extends Title {
  /** The texts' language, as a BCP 47 tag. */
  language: string
  /** A notice across the page below the title, for text that must not be overlooked. */
  banner: string | null
  /** Facts side by side below the title: first names, then short ones such as dates. */
  named: Fact[]
  short: Fact[]
  /** The table's title. */ table_title?: string
  columns: Column[]
  /** Cells in the order of the columns; an empty text leaves the cell empty. */
  rows: string[][]
  /** Further rows, each group below its titles. */ sections?: Section[]
  /** Between the table and the sums. */ offers?: Offer[]
  sums: Sums
  /** Below the sums: offers that aren't part of them. */ left_out?: Offer[]
  figure?: Figure | null
  notes: { title: string, text: string } | null
  /** Texts with titles, below a heading. */
  terms?: { title: string, items: { title: string, text: string }[] } | null
  acceptance: Acceptance | null
  /** `Page {page} of {pages}` */
  page: string
  /** The subject in the file's metadata. */
  subject: string
  /** The file's date. */
  dated_at: Date
}
