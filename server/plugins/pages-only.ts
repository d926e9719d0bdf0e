import type { H3Event } from 'h3'
import type { NitroApp } from 'nitropack/types'

type Hook = (event: H3Event) => unknown

/**
 * What plugins prepare with each request for the page that it may be costs more than most answers of the API: i18n
 * builds the texts of a language. From now on their hooks see pages only. Comes first, see build/module-routes.ts.
 */
export default ({ hooks }: Pick<NitroApp, 'hooks'>) => {
  const register = hooks.hook.bind(hooks) as (name: string, hook: Hook) => () => void
  hooks.hook = ((name: string, hook: Hook) =>
    register(
      name,
      name === 'request' ? event => (event.path.startsWith('/api/') ? undefined : hook(event)) : hook
    )) as typeof hooks.hook
}
