import { expect, test } from 'vitest'
import { readReport } from '../../../layers/sms/shared/domain/report.ts'

test.each([
  [{ id: 'a', state: 'delivered' }, { kind: 'delivery', id: 'a', state: 'delivered', reason: null }],
  [{ 'message-id': 'a', 'status': 'DELIVRD' }, { kind: 'delivery', id: 'a', state: 'delivered', reason: null }],
  [{ 'messageId': 7, 'status': 'UNDELIV', 'err-code': '5' }, { kind: 'delivery', id: '7', state: 'failed', reason: '5' }],
  [{ id: 'a', state: 'sent' }, null],
  [{ state: 'delivered' }, null],
  [{ from: '34600', text: 'STOP' }, { kind: 'answer', from: '34600', text: 'STOP' }],
  [{}, null]
])('the report %o is read', (fields, report) => expect(readReport(fields)).toEqual(report))
