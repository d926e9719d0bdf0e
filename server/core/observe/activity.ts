import type { Activity } from '../types.ts'

export function createActivity(): Activity {
  let at = performance.now()
  return {
    note() {
      at = performance.now()
    },
    seconds: () => (performance.now() - at) / 1000
  }
}
