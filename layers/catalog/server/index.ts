import { defineModule } from '@svc/kit'
import { fillDemo } from './demo/index.ts'
import { createExports } from './exports.ts'
import { problems } from './problems.ts'

export default defineModule({
  problems,
  hooks: { erase: async () => ({ erased: [], held: [] }) }, // treatments tell of nobody
  exports: createExports,
  demo: fillDemo
})
