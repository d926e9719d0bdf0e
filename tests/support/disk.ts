import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const run = (tool: string, ...words: string[]) => spawnSync(tool, words).status === 0

export interface Disk {
  /** Makes the disk full. Without permission to mount, limits the size of files that the process may write. */
  fill (pid: number): void
  free (pid: number): void
  remove (): void
}

/** A separate disk at `folder` that can really be full: a small tmpfs, otherwise a limit on the process's files. */
export function aDisk(folder: string, { megabytes = 32 } = {}): Disk {
  mkdirSync(folder, { recursive: true })
  const ballast = join(folder, 'ballast')
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0777`, 'svc-test', folder)) return limited()
  return {
    fill() {
      try {
        writeFileSync(ballast, Buffer.alloc((megabytes + 1) * 1024 * 1024))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    },
    free: () => rmSync(ballast, { force: true }),
    remove: () => {
      run('umount', folder)
    }
  }
}

function limited(): Disk {
  const limit = (pid: number, bytes: string) => {
    if (!run('prlimit', '--pid', String(pid), `--fsize=${bytes}:`))
      throw new Error('neither mount nor prlimit may be used here')
  }
  return { fill: pid => limit(pid, '1024'), free: pid => limit(pid, 'unlimited'), remove: () => {} }
}
