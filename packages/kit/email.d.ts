/** A message to one person, with one button. All members are plain text: markup in them is shown as text. */
export interface Email {
  /** BCP 47; sets language and direction. */
  locale: string
  /** The clinic or service that sends it. The colour is `#rrggbb`, a background for white text. */
  sender: { name: string, accent_color: string | null }
  /** Paragraphs before the button. Line breaks in them are kept, and null entries are left out. */
  before: (string | null)[]
  button: { label: string, url: string }
  /** Paragraphs after the button. */
  after: (string | null)[]
  /** The text above the written-out address, such as "If the button does not work, copy this address:". */
  fallback: string
}

/** The email as text and as HTML that loads no external resource. Spread it into `ctx.mail.send`. */
export function writeEmail(email: Email): { text: string, html: string }
/** `rtl` for Arabic and other scripts that run from right to left. */
export function directionOf(locale: string): 'ltr' | 'rtl'
/** Keeps a name or a number together in text that runs the other way (UAX 9, first strong isolate). */
export function isolate(text: string): string
