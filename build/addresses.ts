import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineNuxtModule } from '@nuxt/kit'
import type { NuxtPage } from 'nuxt/schema'
import type { Nitro } from 'nitropack/types'

/**
 * Gives the server data about its build. `modules.json` is written beside its code, so that the doctor finds layers
 * that are built but no longer wanted. `#svc/addresses` has the patterns of all addresses outside /api/v1 that a GET
 * can find, pages and the server's own. An address that matches none of them doesn't exist, whatever the method.
 */
export default defineNuxtModule({
  meta: { name: 'addresses' },
  setup(_, nuxt) {
    let pages: string[] = []
    nuxt.hook('pages:resolved', (found) => { pages = pathsOf(found) })
    nuxt.hook('nitro:init', (given) => {
      const nitro = given as unknown as Nitro // the hook's type leaves out what not every server builder has
      const routes = () => [...nitro.scannedHandlers, ...nitro.options.handlers]
        .filter(({ route, middleware }) => !middleware && route && !route.includes('**') && !route.startsWith('/api/v1/'))
        .map(({ route }) => route!)
      nitro.options.virtual['#svc/addresses'] = () =>
        `export default ${JSON.stringify([...new Set([...pages, ...routes()])], null, 2)}\n`
      if (nuxt.options.dev) return
      nitro.hooks.hook('compiled', () =>
        copyFile(join(nuxt.options.rootDir, 'modules.json'), join(nitro.options.output.serverDir, 'modules.json')))
    })
  }
})

/** Includes nested pages and aliases. */
function pathsOf(pages: NuxtPage[], parent = ''): string[] {
  return pages.flatMap((page) => {
    const own = [page.path, ...[page.alias ?? []].flat()].map(path => below(parent, path))
    return [...own, ...own.flatMap(path => pathsOf(page.children ?? [], path))]
  })
}

const below = (parent: string, path: string) =>
  path.startsWith('/') ? path : `${parent.replace(/\/$/, '')}${path === '' ? '' : `/${path}`}`
