import { describe, expect, test } from 'vitest'
import { areHeaders, fillTemplate, isComplete, readPath } from '../../../layers/sms/shared/domain/template.ts'

const VALUES = {
  to: '+34600112233', digits: '34600112233', text: 'He said "{id}" \\ $& é\nhttps://x.test/b/1?a=1&b', id: 'm-1', key: 'k"&1', report: 'https://us.test/r'
}
const POST = { url: 'https://g.test/send', method: 'POST', headers: 'Content-Type: application/json', body: '{"to":"{to}","n":{digits},"text":"{text}"}' }

describe('the template of a gateway', () => {
  test('is filled so that the JSON stays JSON, whatever the text contains', () => {
    const { body } = fillTemplate(POST, VALUES)
    expect(JSON.parse(body!)).toEqual({ to: VALUES.to, n: 34600112233, text: VALUES.text })
  })

  test('writes values of a form and of an address as parts of it', () => {
    const { to, text, key } = VALUES
    const form = { ...POST, headers: 'Content-Type: application/x-www-form-urlencoded', body: 'to={to}&text={text}' }
    expect(Object.fromEntries(new URLSearchParams(fillTemplate(form, VALUES).body))).toEqual({ to, text })
    const get = { url: 'https://g.test/send?to={to}&text={text}&key={key}', method: 'GET', headers: null, body: 'x' }
    const filled = fillTemplate(get, VALUES)
    expect(filled.body).toBeUndefined()
    expect(Object.fromEntries(new URL(filled.url).searchParams)).toEqual({ to, text, key })
  })

  test('escapes values in XML', () => {
    const xml = { ...POST, headers: 'Content-Type: text/xml', body: '<k>{key}</k>' }
    expect(fillTemplate(xml, VALUES).body).toBe('<k>k&quot;&amp;1</k>')
  })

  test('writes the key into a header, which stays one header', () => {
    const { headers } = fillTemplate({ ...POST, headers: 'Authorization: Bearer {key}\nX-A: b' }, { ...VALUES, key: 'a\r\nX-Evil: 1' })
    expect(headers).toEqual({ 'authorization': 'Bearer a X-Evil: 1', 'x-a': 'b', 'content-type': 'application/json' })
  })

  test('is complete with a number and the text', () => {
    expect(isComplete(POST)).toBe(true)
    expect(isComplete({ ...POST, body: '{"to":"{to}"}' })).toBe(false)
    expect(isComplete({ ...POST, method: 'GET' })).toBe(false)
  })

  test('takes headers as lines of name and value only', () => {
    expect([areHeaders('A: b\n\nC: d'), areHeaders('no header'), areHeaders('')]).toEqual([true, false, true])
  })
})

test.each([
  ['{"id":"a"}', 'id', 'a'],
  ['{"messages":[{"id":7}]}', 'messages.0.id', '7'],
  ['{"id":null}', 'id', null],
  ['not JSON', 'id', null]
])('in the answer %s the path %s leads to %s', (answer, path, found) => expect(readPath(answer, path)).toBe(found))
