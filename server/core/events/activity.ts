import type { WorkerEvents } from 'graphile-worker'

/** Whether the workers of this process work: what a probe can see of them. */
export interface Activity {
  /** Counts from now on: the boot looks for no job. */
  begin(): void
  /** Seconds since a job was taken or looked for, 0 while every worker has one. Idle workers look every two seconds. */
  seconds(): number
  /** Of these workers from now on. Returns what ends that. */
  follow(events: WorkerEvents, concurrency: number): () => void
}

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
        if (followed !== events) return // the last jobs of workers that were replaced
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
