import type { NitroApp } from 'nitropack/types'
import { isAddress } from '../addresses.ts'

/**
 * Pages drawn in the browser are the same document for every path below, such as `/users/**`. If no page matches the
 * path, this sets the status 404, as for pages that the server draws.
 */
export default ({ hooks }: Pick<NitroApp, 'hooks'>) => {
  hooks.hook('render:response', (response, { event }) => {
    if (response.statusCode === 200 && !isAddress(event.path.split('?')[0]!)) response.statusCode = 404
  })
}
