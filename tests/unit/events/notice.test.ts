import { expect, test } from 'vitest'
import { readNotice } from '../../../server/core/events/wake.ts'

test('a notification contains a queue or a webhook', () => {
  expect(readNotice('{"module":"recall","line":"event:1"}')).toEqual({ module: 'recall', line: 'event:1' })
  expect(readNotice('{"webhook_id":"w"}')).toEqual({ webhook_id: 'w' })
})

test.each(['', '1', '"x"', 'null', '[]', '{}', '{"module":1,"line":"a"}', '{"webhook_id":null}', 'not JSON'])(
  'any other notification, which any database role can send, is ignored: %s',
  text => expect(readNotice(text)).toBeNull()
)
