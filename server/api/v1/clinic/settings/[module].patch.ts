import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { receiveSettings } from '#host/server/core/settings/serve-settings.ts'
import { SettingsChange, SettingValues } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  takes_clinic_token: true,
  summary: 'Change the clinic\'s settings of a module. Needs the permission that the module names, usually `clinic.manage`. A text replaces a secret, null removes it.',
  body: SettingsChange,
  response: SettingValues,
  problems: ['precondition_failed', 'currency_locked', 'setting_vetoed', 'module_errored'],
  handle: ({ body, request }, host) => receiveSettings(host, request, body)
})
