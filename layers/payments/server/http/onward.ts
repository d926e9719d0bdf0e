import { reply, type Reply } from '@svc/kit'
import { directionOf } from '@svc/kit/email'
import type { Redirect } from '../providers/provider.ts'
import { textsIn } from '../services/patient/texts.ts'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\'': '&#39;' }
const escape = (text: string) => text.replace(/[&<>"']/g, character => ENTITIES[character]!)

const HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }

/** To the provider's page from a link: at once, or by a page with a button where the browser has to post fields. */
export const leadOn = (redirect: Redirect, locale: string): Reply =>
  redirect.kind === 'get'
    ? reply({ status: 303, headers: { ...HEADERS, location: redirect.url } })
    : onwardPage(redirect, locale)

/**
 * Answers a form of ours with a page that leads to the provider. A redirect doesn't work: the content security policy
 * of our pages lets forms go only to this server, and browsers apply that to redirects too.
 */
export function onwardPage(redirect: Redirect, locale: string): Reply {
  const { origin } = new URL(redirect.url)
  const { onward, onward_text } = textsIn(locale)
  const [refresh, way] = redirect.kind === 'get'
    ? [`<meta http-equiv="refresh" content="0;url=${escape(redirect.url)}">`, `<a href="${escape(redirect.url)}">${escape(onward)}</a>`]
    : ['', formOf(redirect, onward)]
  return reply({
    headers: {
      ...HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; form-action ${origin}`
    },
    body: `<!doctype html>
<html lang="${escape(locale)}" dir="${directionOf(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(onward)}</title>
${refresh}
<style>${STYLE}</style>
</head>
<body>
<main>
<p>${escape(onward_text)}</p>
${way}
</main>
</body>
</html>
`
  })
}

const formOf = ({ url, fields }: Extract<Redirect, { kind: 'form' }>, label: string): string => [
  `<form method="post" action="${escape(url)}">`,
  ...Object.entries(fields).map(([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`),
  `<button>${escape(label)}</button>`,
  '</form>'
].join('\n')

const STYLE = [
  'body{font:1rem/1.5 system-ui,sans-serif;margin:0;display:grid;min-height:100vh;place-items:center}',
  'main{padding:1.5rem;max-width:26rem;text-align:center}',
  'a,button{display:inline-block;min-height:44px;padding:.6rem 1.4rem;border:0;border-radius:.5rem;background:#0f5e59;color:#fff;font:inherit;line-height:1.6;text-decoration:none;cursor:pointer}'
].join('')
