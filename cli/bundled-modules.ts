import type { Bundled } from '../server/core/modules/load.ts'

/**
 * The modules that the command line's own bundle holds: the build fills it (`cli/build/bundle.ts`). Where the sources
 * run without a bundle there are none, and modules are loaded from their folders.
 */
const modules: Bundled['modules'] = {}
export default modules
