type Phase = 'none' | 'asked' | 'away' | 'starting' | 'back' | 'late'
interface Probe { answered: boolean, ready: boolean, boot_id: string | null }

const POLL_INTERVAL_MS = 700
/** After this time something may be wrong. The page says so and keeps looking. */
const LATE_AFTER_MS = 120_000
const HISTORY = 40

/**
 * One restart of the service as the browser sees it: requested, away, starting, back. It continues while the person
 * visits other pages.
 */
export function useRestart() {
  const phase = useState<Phase>('restart-phase', () => 'none')
  /** The steps that were carried out since the request, newest first. */
  const log = useState<ModuleOperation[]>('restart-log', () => [])
  const modules = useModulesApi()
  const { loadModules } = useSession()
  const running = computed(() => !['none', 'back'].includes(phase.value))

  const { saving, error, run: begin } = useSave(async () => {
    const newest = await modules.operations({ limit: 1 })
    const since = Number(newest.data[0]?.id ?? 0)
    const { data } = await modules.restart()
    phase.value = 'asked'
    log.value = []
    void follow(data.boot_id, since)
  })

  async function follow(old: string, since: number) {
    const begun = Date.now()
    let wasAway = false
    let reading = false
    const read = async () => {
      if (reading) return // while the service starts, it delays the response until it is ready
      reading = true
      await readLog(since)
      reading = false
    }
    for (;;) {
      const probe = await look()
      wasAway ||= !probe.ready
      if (probe.ready && (probe.boot_id ? probe.boot_id !== old : wasAway)) break
      phase.value = Date.now() - begun > LATE_AFTER_MS ? 'late' : phaseOf(probe, wasAway)
      void read()
      await new Promise(resolve => setTimeout(resolve, POLL_INTERVAL_MS))
    }
    await readLog(since)
    await loadModules()
    phase.value = 'back'
  }

  /** Failures are ignored: the next call reads the steps again, and in the end the page's own list shows them too. */
  async function readLog(since: number) {
    await modules.operations({ limit: HISTORY }).then(
      ({ data }) => {
        log.value = data.filter(({ id }) => Number(id) > since)
      },
      () => {}
    )
  }

  return { phase, log, running, saving, error, begin, dismiss: () => { phase.value = 'none' } }
}

function phaseOf({ answered, ready }: Probe, wasAway: boolean): Phase {
  if (!answered) return 'away'
  return ready && !wasAway ? 'asked' : 'starting'
}

async function look(): Promise<Probe> {
  try {
    const response = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(5000) })
    const body = await response.json() as { boot_id?: string }
    return { answered: true, ready: response.ok, boot_id: body.boot_id ?? null }
  } catch {
    return { answered: false, ready: false, boot_id: null } // no connection, or a proxy's page
  }
}
