/** A picture as it is stored; anything but PNG and JPEG is left out. */
export interface Picture { type: string, bytes: Uint8Array }

export interface Letterhead {
  name: string
  address: string | null
  phone: string | null
  email: string | null
  /** `#rrggbb`; colours one line. */
  accent_color: string | null
  logo: Picture | null
}

/** A label over its value. */
export type Fact = [label: string, value: string]

export interface Title {
  title: string
  /** In a pill; null for none. */ state: string | null
  number: string
  /** Below the number. */ below: string
}

export interface Column {
  title: string
  /**
   * `name` takes the room that the others leave and is the first; `detail` is narrow text beside it. The others are
   * figures, as wide as their widest: `struck` is crossed out, `amount` is in bold.
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
  /** Of the content that was accepted. */
  digest: Fact
  signature: {
    label: string
    name: string
    method: 'click' | 'typed' | 'drawn'
    /** PNG of a drawn signature. */ image: Uint8Array | null
    /** Stands in place of a signature after a click. */ sentence: string
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
  /** Of the stroke, in points. */ width: number
  /** Colour of oblique lines inside the shape. */ hatch?: string
}

/** Vectors in units of their own, from the top left corner. It keeps its sides on a page that reads from the right. */
export interface Drawing {
  width: number
  height: number
  shapes: Shape[]
  /** Centred on their place. */
  texts: { text: string, x: number, y: number, bold: boolean, color: string }[]
}

/** A drawing under a heading, and the same in words below it. */
export interface Figure {
  title: string
  /** How to read it. */ remark: string
  drawing: Drawing
  list: Fact[]
}

/** Something that can be chosen: a title with its amount, and what it holds. */
export interface OfferOption {
  title: string
  /** A word that marks it. */ badge: string | null
  text: string | null
  amount: string
  /** Name and amount. */ lines: [name: string, amount: string][]
}
/** Options under a heading. */
export interface Offer { title: string, remark: string | null, options: OfferOption[] }

/** Rows of a table that belong together below their titles. It may have no rows. */
export interface Section { title: string, answer: string, rows: string[][] }

/** A document in plain values; all text is in the reader's language and ready to be printed. */
export interface Sheet extends Title {
  /** BCP 47, of the texts. */
  language: string
  /** A notice across the page below the title, for text that must not be overlooked. */
  banner: string | null
  /** Side by side below the title: names first, then what is short, such as dates. */
  named: Fact[]
  short: Fact[]
  /** Over the table. */ table_title?: string
  columns: Column[]
  /** Cells in the order of the columns; an empty text leaves the cell empty. */
  rows: string[][]
  /** Further rows, each group below its titles. */ sections?: Section[]
  /** Between the table and the sums. */ offers?: Offer[]
  sums: Sums
  /** Below the sums: what is not part of them. */ left_out?: Offer[]
  figure?: Figure | null
  notes: { title: string, text: string } | null
  acceptance: Acceptance | null
  /** `Page {page} of {pages}` */
  page: string
  /** The file's own subject. */
  subject: string
  /** The file's date. */
  dated_at: Date
}
