import type { Redirect } from '../../../layers/payments/server/providers/provider.ts'

/** Goes to the provider's page as a browser does, presses a button there, and returns where the browser is sent. */
export async function pressAt(redirect: Redirect, what: 'pay' | 'decline' | 'cancel'): Promise<string> {
  const page = await openPage(redirect)
  const answer = await fetch(page, { method: 'POST', body: new URLSearchParams({ do: what }), redirect: 'manual' })
  return answer.headers.get('location') ?? ''
}

/** The address of the page's form. */
export async function openPage(redirect: Redirect): Promise<string> {
  const answer = redirect.kind === 'get'
    ? await fetch(redirect.url)
    : await fetch(redirect.url, { method: 'POST', body: new URLSearchParams(redirect.fields) })
  const html = await answer.text()
  const [, action] = /<form method="post" action="([^"]+)"/.exec(html) ?? []
  if (!action) throw new Error(`the provider shows no form: ${html}`)
  return new URL(action, redirect.url).href
}
