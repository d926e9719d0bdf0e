import type { SmsSettings } from '../../shared/settings.ts'
import { file } from './file.ts'
import { http } from './http.ts'
import type { Provider } from './provider.ts'
import { twilio } from './twilio.ts'

const PROVIDERS: Record<SmsSettings['provider'], Provider> = { none: file, twilio, http }

export const providerOf = ({ provider }: SmsSettings): Provider => PROVIDERS[provider]
