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

const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur'])
const ACCENT = '#0f5e59'
const FONT = 'font-family:-apple-system,\'Segoe UI\',Roboto,Helvetica,Arial,sans-serif'

/** `rtl` for Arabic and other scripts that run from right to left. */
export const directionOf = (locale: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.has(locale.split('-')[0]!) ? 'rtl' : 'ltr'

/** Keeps a name or a number together in text that runs the other way (UAX 9, first strong isolate). */
export const isolate = (text: string): string => `\u2068${text}\u2069`

/** The email as text and as HTML that loads no external resource. Spread it into `ctx.mail.send`. */
export function writeEmail(email: Email): { text: string, html: string } {
  const before = email.before.filter(isPresent)
  const after = email.after.filter(isPresent)
  return { text: asText(email, before, after), html: asHtml(email, before, after) }
}

function asText({ sender, button }: Email, before: string[], after: string[]): string {
  return `${[...before, button.url, ...after, sender.name].join('\n\n')}\n`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\'': '&#39;' }
const escape = (text: string) => text.replace(/[&<>"']/g, character => ENTITIES[character]!)
const lines = (text: string) => text.split(/\r?\n/).map(escape).join('<br>')

const isPresent = (text: string | null): text is string => Boolean(text)

interface Row { padding: string, style?: string, tone?: 'ink' | 'soft' }

/**
 * Tables and inline styles, because mail programs support little else; the style sheet only adds a dark mode.
 * It has no picture: mail programs block remote content, and we don't track whether an email was opened.
 */
function asHtml({ locale, sender, button, fallback }: Email, before: string[], after: string[]): string {
  const dir = directionOf(locale)
  const side = dir === 'rtl' ? 'right' : 'left'
  const accent = /^#[0-9a-f]{6}$/i.test(sender.accent_color ?? '') ? sender.accent_color : ACCENT
  const name = escape(sender.name)
  const url = escape(button.url)
  const row = (content: string, { padding, style = '', tone = 'ink' }: Row) =>
    `<tr><td class="${tone}" align="${side}" style="padding:${padding};${FONT};font-size:16px;line-height:1.5;color:#1d2424;text-align:${side};${style}">${content}</td></tr>`
  const paragraphs = (texts: string[]) => texts.map(text => row(lines(text), { padding: '0 32px 16px' }))

  return `<!doctype html>
<html lang="${escape(locale)}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${name}</title>
<style>
:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){.page{background:#151919!important}.sheet{background:#202626!important}.ink{color:#edf1f1!important}.soft{color:#a9b5b5!important}}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f5f5">
<div lang="${escape(locale)}" dir="${dir}">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f4f5f5"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:#ffffff;border-top:4px solid ${accent}">
${[
  row(`<strong>${name}</strong>`, { padding: '28px 32px 20px', style: 'font-size:18px' }),
  ...paragraphs(before),
  `<tr><td align="${side}" style="padding:8px 32px 24px"><table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td bgcolor="${accent}" style="border-radius:6px;background:${accent}"><a href="${url}" style="display:inline-block;padding:13px 24px;${FONT};font-size:16px;line-height:1.25;font-weight:600;color:#ffffff;text-decoration:none;border-radius:6px">${escape(button.label)}</a></td></tr></table></td></tr>`,
  ...paragraphs(after),
  row(`${escape(fallback)}<br><span dir="ltr" style="word-break:break-all">${url}</span>`, {
    padding: '8px 32px 28px',
    style: 'font-size:13px;color:#5b6666',
    tone: 'soft'
  })
].join('\n')}
</table>
</td></tr></table>
</div>
</body>
</html>
`
}
