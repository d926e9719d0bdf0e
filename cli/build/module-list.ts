import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The code of `#official-modules`: the server half of every bundled module, each a chunk of its own. */
export function listModules(root: string): string {
  const folder = join(root, 'layers')
  const names = readdirSync(folder).filter(name => existsSync(join(folder, name, 'server/index.ts'))).sort()
  const entries = names.map(
    name => `  ${JSON.stringify(name)}: () => import(${JSON.stringify(join(folder, name, 'server/index.ts'))})`
  )
  return `export default {\n${entries.join(',\n')}\n}\n`
}
