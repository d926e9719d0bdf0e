import type { H3Event } from 'h3'
import type { NitroApp } from 'nitropack/types'

type Hook = (event: H3Event) => unknown

/**
 * Some plugins prepare every request as if it were a page, which costs more than most answers of the API: i18n builds
 * the texts of a language. This plugin makes their hooks see only pages. It must come first, see
 * build/module-routes.ts.
 */
export default ({ hooks }: Pick<NitroApp, 'hooks'>) => {
  const register = hooks.hook.bind(hooks) as (name: string, hook: Hook) => () => void
  hooks.hook = ((name: string, hook: Hook) =>
    register(
      name,
      name === 'request' ? event => (event.path.startsWith('/api/') ? undefined : hook(event)) : hook
    )) as typeof hooks.hook
}
