import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { sendSettings } from '#host/server/core/settings/serve-settings.ts'
import { SettingValues } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  takes_clinic_token: true,
  summary: 'Get the clinic\'s settings of a module. Needs the permission that the module names, usually `clinic.manage`. A secret reads as `{ "set": true }`.',
  response: SettingValues,
  problems: ['module_errored'],
  handle: ({ request }, host) => sendSettings(host, request)
})
