import { problem } from '@svc/kit'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { checkCode } from '#host/server/core/setup/check-code.ts'
import { listCountries } from '#host/server/core/setup/countries.ts'
import { SetupCode, SetupHints } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'none',
  summary:
    'Check the set-up code before the rest is typed: the answer has what each country suggests. Wrong codes count as those of POST /api/v1/setup.',
  body: SetupCode,
  response: SetupHints,
  problems: ['not_found', 'setup_code_wrong', 'too_many_requests'],
  async handle({ body }, host) {
    if (!await host.setup.isNeeded()) throw problem('not_found')
    await checkCode(host, body.code)
    return { countries: listCountries() }
  }
})
