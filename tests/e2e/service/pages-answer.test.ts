import { $fetch, fetch, setup } from '@nuxt/test-utils/e2e'
import { describe, expect, inject, test } from 'vitest'

await setup({ host: inject('built').url })

describe('a page over HTTP', () => {
  test('that is public is rendered by the server, in the requested language', async () => {
    const page = await $fetch<string>('/verify?locale=es')
    expect(page).toMatch(/<html[^>]+lang="es"/)
    expect(page).toMatch(/<h1[^>]*>[^<]+<\/h1>/)
  })

  test('of the clinic has no data of the clinic before signing in', async () => {
    const page = await $fetch<string>('/users')
    expect(page).toMatch(/<div id="__nuxt"[^>]*><\/div>/)
    expect(page).toMatch(/<script[^>]+type="module"/)
  })

  test('that does not exist is answered with 404 and a page', async () => {
    const answer = await fetch('/no/such/page', { headers: { accept: 'text/html' } })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html;charset=utf-8'])
  })

  test('is never sent for an API address, which gets a problem document even when it is missing', async () => {
    const answer = await fetch('/api/v1/nothing', { headers: { accept: 'text/html' } })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
  })
})
