import type { Config } from '../config.ts'
import { isPublicHost } from '../loopback.ts'

/**
 * Why this instance may not hold the demo, whatever HOST and --force are: people elsewhere can reach it, and the demo's
 * passwords are public. The server that fills the demo checks this too, since the command may run with other settings.
 */
export function whyPublic({ base_url, trusted_proxies }: Pick<Config, 'base_url' | 'trusted_proxies'>): string[] {
  return [
    ...isPublicHost(new URL(base_url).hostname) ? [`SVC_BASE_URL ${base_url} is a public address`] : [],
    ...trusted_proxies > 0 ? ['SVC_TRUSTED_PROXIES says that a proxy is in front'] : []
  ]
}
