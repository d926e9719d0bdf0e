import { setTimeout as pause } from 'node:timers/promises'
import type { CollectedSection, SectionAt, Sections } from '@svc/kit'
import type { Host, RunningModule } from '../../host.ts'
import { describeError } from '../../log.ts'
import { watchHandler } from '../../watch-handler.ts'
import { readSections } from './read-sections.ts'

/** For all modules together: the reader waits for it. */
const LIMIT_MS = 300
const NOTHING: readonly CollectedSection[] = []
/** Replaces the result of a module that is late. */
const LATE = Object.freeze({ late: true })

interface Page { name: string, at: SectionAt }

/** Collects sections for the pages of `owner`. */
export function createSections(host: Pick<Host, 'config' | 'log' | 'registry'>, owner: string): Sections {
  return {
    async collect(name, at) {
      if (!name.startsWith(`${owner}.`))
        throw new Error(`module ${owner} collects sections of ${name}, which is not its page`)
      const modules = host.registry.modules.filter(({ definition }) => definition.public_sections?.[name])
      if (modules.length === 0) return NOTHING
      const done = new AbortController()
      const late = pause(LIMIT_MS, null, { signal: done.signal }).then(() => LATE, () => LATE)
      try {
        const found = await Promise.all(modules.map(module => collectOf(host, module, { name, at }, late)))
        return found.flat()
      } finally {
        done.abort()
      }
    }
  }
}

/** Never throws: after any error of a module, people get the rest of the page. */
async function collectOf(
  { config, log }: Pick<Host, 'config' | 'log'>,
  { name: module, definition, ctx }: RunningModule,
  { name: page, at }: Page,
  late: Promise<typeof LATE>
): Promise<CollectedSection[]> {
  const leaveOut = (reason: unknown) => log.warn('section.left_out', { module, page, reason })
  try {
    const work = { module, endpoint: page }
    const section = definition.public_sections![page]!
    const returned = await watchHandler(log, work, () => Promise.race([section(ctx, { ...at }), late]))
    if (returned === LATE) {
      leaveOut('late')
      return []
    }
    const { origin } = new URL(config.base_url)
    const { sections, faults } = readSections(returned, { module, token_base: at.token_base, origin })
    for (const fault of faults) leaveOut(fault)
    return sections.map(section => ({ module, ...section }))
  } catch (error) {
    leaveOut(describeError(error))
    return []
  }
}
