/**
 * For a public page whose address has a secret, such as a mailed link: no cache keeps it and no search engine lists it.
 * Other sites never get the address as a referrer; that is so on every page.
 */
export function useSecretAddress() {
  const event = useRequestEvent()
  event?.node.res.setHeader('Cache-Control', 'no-store').setHeader('X-Robots-Tag', 'noindex')
  useHead({ meta: [{ name: 'robots', content: 'noindex' }] })
}
