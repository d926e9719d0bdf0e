const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur'])
const ACCENT = '#0f5e59'
const FONT = 'font-family:-apple-system,\'Segoe UI\',Roboto,Helvetica,Arial,sans-serif'

export const directionOf = locale => RIGHT_TO_LEFT.has(locale.split('-')[0]) ? 'rtl' : 'ltr'

export const isolate = text => `\u2068${text}\u2069`

export function writeEmail(email) {
  const before = email.before.filter(Boolean)
  const after = email.after.filter(Boolean)
  return { text: asText(email, before, after), html: asHtml(email, before, after) }
}

function asText({ sender, button }, before, after) {
  return `${[...before, button.url, ...after, sender.name].join('\n\n')}\n`
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\'': '&#39;' }
const escape = text => text.replace(/[&<>"']/g, character => ENTITIES[character])
const lines = text => text.split(/\r?\n/).map(escape).join('<br>')

/**
 * Tables and inline styles, because mail programs support little else; the style sheet only adds a dark mode.
 * It has no picture: mail programs block remote content, and we don't track whether an email was opened.
 */
function asHtml({ locale, sender, button, fallback }, before, after) {
  const dir = directionOf(locale)
  const side = dir === 'rtl' ? 'right' : 'left'
  const accent = /^#[0-9a-f]{6}$/i.test(sender.accent_color ?? '') ? sender.accent_color : ACCENT
  const name = escape(sender.name)
  const url = escape(button.url)
  const row = (content, { padding, style = '', tone = 'ink' }) =>
    `<tr><td class="${tone}" align="${side}" style="padding:${padding};${FONT};font-size:16px;line-height:1.5;color:#1d2424;text-align:${side};${style}">${content}</td></tr>`
  const paragraphs = texts => texts.map(text => row(lines(text), { padding: '0 32px 16px' }))

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
