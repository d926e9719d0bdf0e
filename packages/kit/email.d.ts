/** A message to one person, with one button. Plain text everywhere: markup in it is shown, not followed. */
export interface Email {
  /** BCP 47: decides language and direction. */
  locale: string
  /** Whose email it is. The colour is `#rrggbb`; white text is on it. */
  sender: { name: string, accent_color: string | null }
  /** Paragraphs before the button; line breaks in them are kept. Null ones are left out. */
  before: (string | null)[]
  button: { label: string, url: string }
  /** Paragraphs after it. */
  after: (string | null)[]
  /** The text above the written-out address, such as "If the button does not work, copy this address:". */
  fallback: string
}

/** The same email as text and as HTML, which loads nothing from anywhere. Spread it into `ctx.mail.send`. */
export function writeEmail(email: Email): { text: string, html: string }
/** `rtl` for Arabic and other scripts that run from right to left. */
export function directionOf(locale: string): 'ltr' | 'rtl'
/** Keeps a name or a number together in a text of the other direction (UAX 9, first strong isolate). */
export function isolate(text: string): string
