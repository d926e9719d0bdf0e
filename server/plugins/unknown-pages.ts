import type { NitroApp } from 'nitropack/types'
import { isAddress } from '../addresses.ts'

/**
 * What the browser draws is the same document for every address below, such as `/users/**`. For one that no page has
 * the document says so by its status, as those do that the server draws.
 */
export default ({ hooks }: Pick<NitroApp, 'hooks'>) => {
  hooks.hook('render:response', (response, { event }) => {
    if (response.statusCode === 200 && !isAddress(event.path.split('?')[0]!)) response.statusCode = 404
  })
}
