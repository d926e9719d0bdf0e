import { createConfigForNuxt } from '@nuxt/eslint-config'

export default createConfigForNuxt({
  features: { stylistic: { commaDangle: 'never', braceStyle: '1tbs' }, tooling: true }
})
  .append({
    rules: {
      // Sentences, statements in SQL and class lists stay whole.
      '@stylistic/max-len': ['error', {
        code: 120,
        ignoreUrls: true,
        ignoreStrings: true,
        ignoreTemplateLiterals: true,
        ignoreRegExpLiterals: true
      }],
      'max-lines': ['warn', { max: 250, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['warn', { max: 50, skipBlankLines: true, skipComments: true }],
      'max-depth': ['warn', 3],
      'no-empty': ['error', { allowEmptyCatch: false }],
      // `new Promise((resolve) => { done = resolve })` is one thought, and so one line.
      '@stylistic/max-statements-per-line': 'off',
      '@typescript-eslint/no-explicit-any': 'warn'
    }
  })
  .append({
    files: ['**/*.vue'],
    rules: {
      '@stylistic/max-len': 'off',
      'vue/max-len': ['error', {
        code: 120,
        template: 120,
        ignoreUrls: true,
        ignoreStrings: true,
        ignoreTemplateLiterals: true,
        ignoreHTMLAttributeValues: true
      }]
    }
  })
  // Settings stand by topic, each comment with all that it is about.
  .append({ files: ['nuxt.config.ts'], rules: { 'nuxt/nuxt-config-keys-order': 'off' } })
  // A page's name is its address.
  .append({
    files: ['layers/*/app/pages/**', 'tests/fixtures/modules/*/layer/app/pages/**'],
    rules: { 'vue/multi-word-component-names': 'off' }
  })
  // The contract speaks of modules that it has never seen: their bodies, payloads and exports.
  .append({ files: ['packages/kit/src/**'], rules: { '@typescript-eslint/no-explicit-any': 'off' } })
  // Tests read answers as the wire brings them, and pages as people see them.
  .append({
    files: ['tests/**'],
    rules: {
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
      'unicorn/prefer-dom-node-text-content': 'off'
    }
  })
  .append({
    ignores: ['.output/**', '.nuxt/**', '.cli/**', 'packages/kit/dist/**', 'storage/**', 'drizzle/meta/**', 'layers/*/migrations/meta/**']
  })
