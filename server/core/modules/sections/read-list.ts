import { phraseIssue } from '@svc/kit/issues'
import { multiLine, singleLine, visible } from '@svc/kit/text'
import * as z from 'zod'

const MAX_SECTIONS = 3
const MAX_FACTS = 10
const MAX_ISSUES = 5

export const line = (longest: number) => z.string().trim().max(longest).check(singleLine, visible)

/** A list, of which only the first `most` entries and one more are read: a module may have returned a million. */
export const listOf = <Entry extends z.ZodType>(entry: Entry, most: number) =>
  z.preprocess(list => Array.isArray(list) ? list.slice(0, most + 1) : list, z.array(entry))

/** What all sections have. */
export const common = {
  id: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,49}$/, 'Must be a name of a-z, 0-9, - and _.'),
  title: line(200),
  text: z.string().trim().max(2000).check(multiLine).nullish(),
  facts: listOf(z.tuple([line(200), line(200)]), MAX_FACTS).nullish()
}

type Common = z.infer<z.ZodObject<typeof common>>
/** Notes why something was left out, for the log. It quotes neither texts nor addresses. */
export type OnFault = (fault: string) => void
export interface ReadList<Section> { sections: Section[], faults: string[] }

/** Takes what a module returned, and leaves out the sections that break the rules of `schema`, or are too many. */
export function readList<Written extends Common, Section>(
  returned: unknown,
  schema: z.ZodType<Written>,
  toSection: (written: Written, onFault: OnFault) => Section
): ReadList<Section> {
  if (!Array.isArray(returned)) return { sections: [], faults: ['it returned no list'] }
  const faults: string[] = []
  const sections = new Map<string, Section>()
  for (const [index, entry] of returned.slice(0, MAX_SECTIONS).entries()) {
    const read = schema.safeParse(entry, { error: phraseIssue })
    if (!read.success) faults.push(`section ${index + 1}: ${describe(read.error)}`)
    else if (sections.has(read.data.id)) faults.push(`section ${index + 1}: its id is taken`)
    else {
      const { id } = read.data
      sections.set(id, toSection(read.data, fault => faults.push(`section ${id}: ${fault}`)))
    }
  }
  if (returned.length > MAX_SECTIONS) faults.push(`it has more than ${MAX_SECTIONS} sections`)
  return { sections: [...sections.values()], faults }
}

/** Only the members that have something to show. */
export function toCommon({ id, title, text, facts }: Common, onFault: OnFault) {
  if ((facts?.length ?? 0) > MAX_FACTS) onFault(`it has more than ${MAX_FACTS} facts`)
  return { id, title, ...text ? { text } : {}, ...facts?.length ? { facts: facts.slice(0, MAX_FACTS) } : {} }
}

function describe({ issues }: z.ZodError): string {
  const phrases = issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => `${path.map(String).join('.') || 'it'}: ${message}`)
  return [...phrases, ...issues.length > MAX_ISSUES ? [`and ${issues.length - MAX_ISSUES} more`] : []].join('; ')
}
