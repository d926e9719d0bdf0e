import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { createSecret, sign } from '../../../server/core/webhooks/sign.ts'

const body = JSON.stringify({ type: 'fact.done', data: { text: 'ñ €' } })

test('a signature is accepted by a receiver\'s library (Standard Webhooks)', () => {
  const secret = createSecret()
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
  const at = new Date()
  const headers = sign({ secret, id: 'an-id', at, body })
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
  expect(headers['webhook-signature']).toBe(new Webhook(secret).sign('an-id', at, body))
})

test('a receiver rejects a changed body, an old timestamp, another secret and a missing id', () => {
  const secret = createSecret()
  const headers = sign({ secret, id: 'an-id', at: new Date(), body })
  const { 'webhook-id': _, ...withoutId } = headers
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow(WebhookVerificationError)
  expect(() =>
    new Webhook(secret).verify(body, sign({ secret, id: 'an-id', at: new Date(Date.now() - 600_000), body }))
  ).toThrow(WebhookVerificationError)
  expect(() => new Webhook(createSecret()).verify(body, headers)).toThrow(WebhookVerificationError)
  expect(() => new Webhook(secret).verify(body, withoutId)).toThrow(WebhookVerificationError)
})
