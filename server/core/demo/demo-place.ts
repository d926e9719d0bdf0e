import type { Config } from '../config.ts'
import { isPublicHost } from '../loopback.ts'

/**
 * Why this instance may not hold the demo, whatever HOST and --force say: its passwords are public knowledge, and
 * people elsewhere reach it. The server that fills the demo asks too, since the command may run with other settings.
 */
export function whyPublic({ base_url, trusted_proxies }: Pick<Config, 'base_url' | 'trusted_proxies'>): string[] {
  return [
    ...isPublicHost(new URL(base_url).hostname) ? [`SVC_BASE_URL ${base_url} is a public address`] : [],
    ...trusted_proxies > 0 ? ['SVC_TRUSTED_PROXIES says that a proxy is in front'] : []
  ]
}
