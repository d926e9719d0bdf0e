import { describeIssue } from '@svc/kit/issues'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'

const messageOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: describeIssue }).error!.issues[0]!.message

describe('every issue that the validation library reports gets a sentence', () => {
  test.each(([
    [z.strictObject({ a: z.string() }), {}, 'Required.'],
    [z.string(), 1, 'Must be text.'],
    [z.string(), null, 'Must be text.'],
    [z.number(), '1', 'Must be a number.'],
    [z.coerce.number(), 'x', 'Must be a number.'],
    [z.int(), 1.5, 'Must be a whole number.'],
    [z.boolean(), 'yes', 'Must be true or false.'],
    [z.array(z.string()), {}, 'Must be a list.'],
    [z.object({}), [], 'Must be an object.'],
    [z.record(z.string(), z.string()), 1, 'Must be an object.'],
    [z.never(), 1, 'Must be left out.'],
    [z.null(), 1, 'Must be null.'],
    [z.enum(['en', 'es']), 'it', 'Must be one of "en", "es".'],
    [z.literal(true), false, 'Must be true.'],
    [z.string().max(3), 'long', 'Must have at most 3 characters.'],
    [z.string().max(1), 'long', 'Must have at most 1 character.'],
    [z.string().min(1), '', 'Must not be empty.'],
    [z.string().min(2), 'x', 'Must have at least 2 characters.'],
    [z.array(z.int()).max(1), [1, 2], 'Must have at most 1 entry.'],
    [z.array(z.int()).min(1), [], 'Must not be empty.'],
    [z.int().max(3), 4, 'Must be at most 3.'],
    [z.int().min(3), 2, 'Must be at least 3.'],
    [z.number().positive(), 0, 'Must be more than 0.'],
    [z.number().lt(5), 5, 'Must be less than 5.'],
    [z.number().multipleOf(5), 4, 'Must be a multiple of 5.'],
    [z.email(), 'x', 'Must be an email address.'],
    [z.url(), 'x', 'Must be a web address such as "https://example.com".'],
    [z.uuid(), 'x', 'Must be an id (UUID).'],
    [z.iso.date(), 'x', 'Must be a day such as "2026-12-31".'],
    [z.iso.datetime(), 'x', 'Must be a time such as "2026-12-31T09:30:00Z".'],
    [z.string().regex(/y/), 'x', 'Must have another form.'],
    [z.string().startsWith('y'), 'x', 'Must have another form.'],
    [z.strictObject({}), { a: 1 }, 'Unknown field.'],
    [z.record(z.string().regex(/y/, 'Must be y.'), z.string()), { x: '1' }, 'Must be y.'],
    [z.union([z.string(), z.int()]), {}, 'Must be text. Or: Must be a number.'],
    [z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), {}, 'Must have another form.'],
    [z.discriminatedUnion('m', [z.object({ m: z.literal('a') }), z.object({ m: z.literal('b') })]), { m: 'c' }, 'Must be one of "a", "b".']
  ] as [z.ZodType, unknown, string][]).map(([schema, value, message]) => ({ schema, value, message })))(
    'for $value: $message',
    ({ schema, value, message }) => expect(messageOf(schema, value)).toBe(message)
  )

  test('unless the schema has a message of its own, which is used instead', () =>
    expect(messageOf(z.string().regex(/^\d+$/, 'Must be digits.'), 'x')).toBe('Must be digits.'))
})
