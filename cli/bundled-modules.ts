import type { Bundled } from '../server/core/modules/load.ts'

/**
 * The modules in the command line's own bundle, filled in by the build (`cli/build/bundle.ts`). It is empty when the
 * sources run without a bundle; modules are then loaded from their folders.
 */
const modules: Bundled['modules'] = {}
export default modules
