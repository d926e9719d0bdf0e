import '#nitro-internal-pollyfills'
import { toNodeListener } from 'h3'
import { useNitroApp } from 'nitropack/runtime'

const nitro = useNitroApp()

/** Nitro with all that it needs to draw pages. */
export default toNodeListener(nitro.h3App)

/** Announces to the plugins of layers that the process ends. */
export const close = () => nitro.hooks.callHook('close')
