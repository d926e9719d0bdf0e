import { createConfigForNuxt } from '@nuxt/eslint-config'

export default createConfigForNuxt({ features: { stylistic: { commaDangle: 'never', braceStyle: '1tbs' }, tooling: true } })
  .append({
    rules: {
      'max-lines': ['warn', { max: 250, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['warn', { max: 50, skipBlankLines: true, skipComments: true }],
      'max-depth': ['warn', 3],
      'no-empty': ['error', { allowEmptyCatch: false }],
      '@typescript-eslint/no-explicit-any': 'warn'
    }
  })
  // A page's name is its address.
  .append({ files: ['layers/*/app/pages/**', 'tests/fixtures/modules/*/layer/app/pages/**'], rules: { 'vue/multi-word-component-names': 'off' } })
  .append({ files: ['tests/**'], rules: { 'max-lines-per-function': 'off' } })
  .append({ ignores: ['.output/**', '.nuxt/**', '.cli/**', 'storage/**', 'drizzle/meta/**', 'layers/*/migrations/meta/**'] })
