import { setTimeout as pause } from 'node:timers/promises'
import type { CollectedSection, SectionAt, Sections, StaffSectionAt } from '@svc/kit'
import type { Host, RunningModule } from '../../host.ts'
import { describeError } from '../../log.ts'
import { watchHandler } from '../../watch-handler.ts'
import type { ReadList } from './read-list.ts'
import { readSections } from './read-sections.ts'
import { readStaffSections } from './read-staff-sections.ts'

/** For all modules together, because the reader waits for them. Patients get the whole page only afterwards. */
const PATIENTS_LIMIT_MS = 300
/** Longer, because the clinic's page shows the rest of it meanwhile. */
const STAFF_LIMIT_MS = 2000
const NOTHING: readonly CollectedSection[] = []
/** Replaces the result of a module that is late. */
const LATE = Object.freeze({ late: true })

type Collector = Pick<Host, 'config' | 'log' | 'registry'>

interface Page<Section> {
  owner: string
  name: string
  member: 'public_sections' | 'staff_sections'
  at: SectionAt | StaffSectionAt
  limit_ms: number
  read: (returned: unknown, module: string) => ReadList<Section>
}

interface Collected<Section> { module: string, sections: (Section & { module: string })[], isWhole: boolean }

/** Collects sections for the pages of `owner`. */
export function createSections(host: Collector, owner: string): Sections {
  return {
    async collect(name, at) {
      const collected = await collectAll(host, {
        owner,
        name,
        member: 'public_sections',
        at,
        limit_ms: PATIENTS_LIMIT_MS,
        read: (returned, module) =>
          readSections(returned, { module, token_base: at.token_base, origin: new URL(host.config.base_url).origin })
      })
      return collected.length === 0 ? NOTHING : collected.flatMap(({ sections }) => sections)
    },

    async collectForStaff(name, at) {
      const collected = await collectAll(host, {
        owner,
        name,
        member: 'staff_sections',
        at,
        limit_ms: STAFF_LIMIT_MS,
        read: readStaffSections
      })
      return {
        sections: collected.flatMap(({ sections }) => sections),
        left_out: collected.filter(({ isWhole }) => !isWhole).map(({ module }) => module)
      }
    }
  }
}

async function collectAll<Section>(host: Collector, page: Page<Section>): Promise<Collected<Section>[]> {
  const { owner, name, member, limit_ms } = page
  if (!name.startsWith(`${owner}.`))
    throw new Error(`module ${owner} collects sections of ${name}, which is not its page`)
  const modules = host.registry.modules.filter(({ definition }) => definition[member]?.[name])
  if (modules.length === 0) return []
  const done = new AbortController()
  const late = pause(limit_ms, null, { signal: done.signal }).then(() => LATE, () => LATE)
  try {
    return await Promise.all(modules.map(module => collectOf(host.log, module, page, late)))
  } finally {
    done.abort()
  }
}

/** Never throws: after any error of a module, people get the rest of the page. */
async function collectOf<Section>(
  log: Host['log'],
  { name: module, definition, ctx }: RunningModule,
  { name: page, member, at, read }: Page<Section>,
  late: Promise<typeof LATE>
): Promise<Collected<Section>> {
  const leaveOut = (reason: unknown) => log.warn('section.left_out', { module, page, reason })
  try {
    const work = { module, endpoint: page }
    const section = definition[member]![page]!
    const returned = await watchHandler(log, work, () => Promise.race([section(ctx, { ...at }), late]))
    const { sections, faults } = returned === LATE ? { sections: [], faults: ['late'] } : read(returned, module)
    for (const fault of faults) leaveOut(fault)
    return { module, sections: sections.map(section => ({ module, ...section })), isWhole: faults.length === 0 }
  } catch (error) {
    leaveOut(describeError(error))
    return { module, sections: [], isWhole: false }
  }
}
