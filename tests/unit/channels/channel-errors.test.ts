import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Channel, ChannelMessage } from '@svc/kit'
import { withCircuitBreaker } from '../../../server/core/channels/circuit-breaker.ts'
import { toPlainLine } from '../../../server/core/channels/plain-line.ts'
import { redactMessage } from '../../../server/core/channels/redact-message.ts'

const MESSAGE: ChannelMessage = {
  id: 'a', clinic_id: 'b', to: '+34600112233', locale: 'es', kind: 'code', text: '482913 es su código. Vale 10 minutos.'
}
const cleaned = (error: unknown, message: Partial<ChannelMessage> = {}) =>
  (redactMessage(error, { ...MESSAGE, ...message }) as Error).message

describe('an error of a channel', () => {
  test.each([
    ['the code', 'rejected: 482913', 'rejected: -'],
    ['the text', `rejected: ${MESSAGE.text}`, 'rejected: -'],
    ['the address', 'The number +34600112233 is not valid (21211)', 'The number - is not valid (21211)'],
    ['the address as its provider writes it', 'to=34600112233', 'to=-'],
    ['no part of the message', 'timed out after 10 s', 'timed out after 10 s']
  ])('keeps its own words and omits quotations, when it quotes %s', (_, words, kept) => {
    expect(cleaned(new Error(words))).toBe(kept)
    expect(cleaned(words)).toBe(kept)
  })

  test('omits the link, including in quotations of its causes', () => {
    const url = 'https://clinic.test/b/K7Q4-9XTM'
    const error = new Error(`can't send ${url}`, { cause: new Error(`${url}: spam`) })
    expect(cleaned(error, { kind: 'link', text: `Lea: ${url}`, url })).toBe('can\'t send -')
    expect((error.cause as Error).message).toBe('-: spam')
  })
})

test('the text of a provider becomes one line without control characters, lone surrogates or overrides', () => {
  expect(toPlainLine(' a\0b\r\n\tc \u202Ed\uD83D ')).toBe('a b c d\uFFFD')
  expect([...toPlainLine('😀'.repeat(600))]).toHaveLength(500)
})

describe('a channel whose provider hangs', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())
  const aChannel = () => ({}) as Channel
  const hanging = () => new Promise<string>((_, reject) => setTimeout(() => reject(new Error('too late')), 90_000))
  const code = (error: { code?: string, message: string }) => error.code ?? error.message

  test('blocks one worker only: its other messages fail at once, and those of other channels are sent', async () => {
    const channel = aChannel()
    const first = [1, 2].map(() => withCircuitBreaker(channel, hanging).catch(code))
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await withCircuitBreaker(channel, hanging).catch(code)).toBe('busy')
    expect(await withCircuitBreaker(aChannel(), () => Promise.resolve('sent'))).toBe('sent')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await Promise.all(first)).toEqual(['too late', 'too late'])

    const next = withCircuitBreaker(channel, hanging).catch(code)
    expect(await withCircuitBreaker(channel, () => Promise.resolve('sent')).catch(code)).toBe('busy')
    await vi.advanceTimersByTimeAsync(90_000)
    expect(await next).toBe('too late')
  })

  test('sends several messages at a time again after one was sent fast enough', async () => {
    const channel = aChannel()
    const first = withCircuitBreaker(channel, hanging).catch(code)
    await vi.advanceTimersByTimeAsync(90_000)
    await first
    expect(await withCircuitBreaker(channel, () => Promise.resolve('sent'))).toBe('sent')
    const sends = [1, 2].map(() => withCircuitBreaker(channel, () => Promise.resolve('sent')))
    expect(await Promise.all(sends)).toEqual(['sent', 'sent'])
  })
})
