import { changeMe } from '#host/server/core/people/accounts/me.ts'
import { personOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { MyChange } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  summary: 'Choose the language of your own screens. With null, it follows the browser, then the clinic.',
  body: MyChange,
  handle: ({ body, request }, host) =>
    changeMe(host.db, { user_id: personOf(request).user_id, locale: body.locale })
})
