import '#nitro-internal-pollyfills'
import { toNodeListener } from 'h3'
import { useNitroApp } from 'nitropack/runtime'

/** Nitro with all that it needs to draw pages. */
export default toNodeListener(useNitroApp().h3App)
