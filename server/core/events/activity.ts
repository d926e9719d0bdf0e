import type { WorkerEvents } from 'graphile-worker'
import type { Activity } from '../types.ts'

export function createActivity(): Activity {
  let at = performance.now()
  let isBusy = false
  let followed: WorkerEvents | null = null

  return {
    begin() {
      at = performance.now()
    },
    seconds: () => isBusy ? 0 : (performance.now() - at) / 1000,
    follow(events, concurrency) {
      followed = events
      let running = 0
      const note = (change: number) => () => {
        running += change
        if (followed !== events) return // the last jobs of replaced workers
        at = performance.now()
        isBusy = running === concurrency
      }
      events.on('worker:getJob:empty', note(0)).on('job:start', note(1)).on('job:complete', note(-1))
      return () => {
        if (followed !== events) return
        followed = null
        isBusy = false
      }
    }
  }
}
