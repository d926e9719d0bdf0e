import { basename, relative } from 'node:path'
import { defineNuxtModule } from '@nuxt/kit'
import { scanHandlers } from 'nitropack/core'
import type { Nitro, NitroEventHandler } from 'nitropack/types'

/**
 * Turns Nitro's scan of `server/{api,routes}`, the core's and each layer's, into `#svc/routes`: the table of endpoints
 * that `server/core/http/mount.ts` serves. Every GET also serves HEAD, which h3 doesn't do by itself.
 */
export default defineNuxtModule({
  meta: { name: 'module-routes' },
  setup(_, nuxt) {
    const { rootDir } = nuxt.options
    nuxt.hook('nitro:init', async (given) => {
      const nitro = given as unknown as Nitro // the hook's type leaves out what not every server builder has
      nitro.options.ignore.push('api/**/_*') // code that endpoints share
      await scanHandlers(nitro)
      const endpoints = () => nitro.scannedHandlers.filter(isEndpoint)
      nitro.options.handlers.push(
        ...endpoints()
          .filter(({ method }) => method === 'get')
          .map(handler => ({ ...handler, method: 'head' as const }))
      )
      nitro.options.virtual['#svc/routes'] = () =>
        `export default [\n${endpoints()
          .map(handler => entry(handler, rootDir))
          .join(',\n')}\n]\n`
      // It runs before other modules' plugins, because it observes their hooks.
      nitro.options.plugins.sort((a, b) => Number(isFirst(b)) - Number(isFirst(a)))
    })
  }
})

const isFirst = (plugin: string) => basename(plugin) === 'pages-only.ts'

/** Endpoints have a method in their name; probes and the catch-all have none. */
const isEndpoint = ({ middleware, route, method }: NitroEventHandler) =>
  !middleware && route !== undefined && method !== undefined

function entry({ route, method, handler }: NitroEventHandler, root: string): string {
  const [, module = null] = /^layers\/([^/]+)\//.exec(relative(root, handler)) ?? []
  return `  { module: ${JSON.stringify(module)}, method: ${JSON.stringify(method)}, path: ${JSON.stringify(route)}, load: () => import(${JSON.stringify(handler)}) }`
}
