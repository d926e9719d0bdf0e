import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineNuxtModule } from '@nuxt/kit'
import type { NitroConfig } from 'nitropack/types'

/** The first argument that modules pass to `ctx.threads.run`. */
const THREAD = /new URL\('(\.[\w./-]+\.thread\.ts)', import\.meta\.url\)/g

interface Emitter { emitFile (file: { type: 'chunk', id: string, fileName: string }): string }

/**
 * Adds the threads' files to the bundle: each is its own entry and shares chunks with the server. `nuxt dev` keeps them
 * as sources, which Node runs, because its bundle is a single chunk and a thread that shared it would start a second
 * server.
 */
export default defineNuxtModule({
  meta: { name: 'threads' },
  setup(_, nuxt) {
    function fileNameOf(source: string): string {
      const name = relative(nuxt.options.rootDir, source).replace(/\.thread\.ts$/, '')
      return `threads/${name.replaceAll(/\W+/g, '-')}.mjs`
    }

    function emitThreads(this: Emitter, code: string, id: string) {
      if (!code.includes('.thread.ts')) return null
      return code.replaceAll(THREAD, (_whole, file: string) => {
        const source = join(dirname(id), file)
        if (nuxt.options.dev) return `new URL(${JSON.stringify(pathToFileURL(source).href)})`
        this.emitFile({ type: 'chunk', id: source, fileName: fileNameOf(source) })
        // Nitro sets `import.meta.url` of every chunk to the server's entry.
        return `new URL('./${fileNameOf(source)}', import.meta.url)`
      })
    }

    nuxt.hook('nitro:config', (given) => {
      const config = given as NitroConfig // the hook's type leaves out what not every server builder has
      const plugin = { name: 'threads', transform: { order: 'pre' as const, handler: emitThreads } }
      const rollupConfig = { ...config.rollupConfig, plugins: [config.rollupConfig?.plugins, plugin] }
      config.rollupConfig = rollupConfig as NitroConfig['rollupConfig']
    })
  }
})
