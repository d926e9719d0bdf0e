/**
 * Whether a link leads to the reader's own machine. The doctor's `base_url_local` checks the service's URL for this.
 */
export function isLocalLink(link: string): boolean {
  const { hostname } = new URL(link)
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(hostname)
}
