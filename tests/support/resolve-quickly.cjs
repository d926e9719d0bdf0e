const { registerHooks } = process.getBuiltinModule('node:module')

// To find out that a file of date-fns or drizzle-orm is a module, Node 24 parses the package's 200 KB of package.json,
// again for each of its files: six seconds for the PDF engine. The answer is always the same.
// Preloaded with --require, which reaches the threads that draw documents as well; --import doesn't.
const LARGE = /\/node_modules\/(?:date-fns|drizzle-orm)\//
const RELATIVE = /^\.\.?\/.*\.js$/

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (RELATIVE.test(specifier) && LARGE.test(context.parentURL ?? '') && context.conditions.includes('import')) {
      return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
    }
    return nextResolve(specifier, context)
  }
})
