import { expect, test } from 'vitest'
import { webhookFailureKey } from '../../../app/utils/webhook-failure.ts'
import { WEBHOOK_FAILURES } from '../../../shared/webhooks.ts'
import type staffTexts from '../../../i18n/staff/en.json'
import { LANGUAGES, textsOf } from '../../support/texts.ts'

test.each(LANGUAGES)('the reason of a failed delivery is a whole sentence in %s, with or without details', (locale) => {
  const { failure } = textsOf<typeof staffTexts>('i18n/staff', locale).staff.webhooks
  const told = (code: typeof WEBHOOK_FAILURES[number], value: string | null) =>
    (failure as Record<string, string>)[webhookFailureKey({ code, value }).replace('staff.webhooks.failure.', '')]
  for (const code of WEBHOOK_FAILURES) expect(told(code, 'x'), code).toBe(failure[code])
  for (const code of ['no_answer', 'other', 'not_https', 'private_address'] as const) {
    for (const value of [null, '']) expect(told(code, value), code).toMatch(/^[^{]+\.$/)
  }
})
