import type { PublicSection, SectionAction } from '@svc/kit'
import { phraseIssue } from '@svc/kit/issues'
import { multiLine, singleLine, visible } from '@svc/kit/text'
import * as z from 'zod'

const MAX_SECTIONS = 3
const MAX_FACTS = 10
const MAX_ACTIONS = 3

const line = (longest: number) => z.string().trim().max(longest).check(singleLine, visible)

const sectionSchema = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,49}$/, 'Must be a name of a-z, 0-9, - and _.'),
  title: line(200),
  text: z.string().trim().max(2000).check(multiLine).nullish(),
  facts: z.array(z.tuple([line(200), line(200)])).nullish(),
  actions: z
    .array(z.object({ label: line(100), href: z.string().max(2000), kind: z.enum(['primary', 'secondary']) }))
    .nullish()
})

interface Source {
  module: string
  /** The address of the page's API, below which the module may have paths. */
  token_base: string
  /** Origin of this instance. */
  origin: string
}

/** `faults`: why something was left out, for the log. They quote neither texts nor addresses. */
interface ReadSections { sections: PublicSection[], faults: string[] }

/** Takes what a module returned, and leaves out whatever breaks the rules of `PublicSection`. */
export function readSections(returned: unknown, source: Source): ReadSections {
  if (!Array.isArray(returned)) return { sections: [], faults: ['it returned no list'] }
  const faults: string[] = []
  const sections: PublicSection[] = []
  for (const [index, entry] of returned.slice(0, MAX_SECTIONS).entries()) {
    const read = sectionSchema.safeParse(entry, { error: phraseIssue })
    if (!read.success) faults.push(`section ${index + 1}: ${describe(read.error)}`)
    else if (sections.some(({ id }) => id === read.data.id)) faults.push(`section ${index + 1}: its id is taken`)
    else sections.push(toSection(read.data, source, fault => faults.push(`section ${read.data.id}: ${fault}`)))
  }
  if (returned.length > MAX_SECTIONS) faults.push(`it has more than ${MAX_SECTIONS} sections`)
  return { sections, faults }
}

function toSection(
  { id, title, text, facts, actions }: z.infer<typeof sectionSchema>,
  source: Source,
  onFault: (fault: string) => void
): PublicSection {
  if ((facts?.length ?? 0) > MAX_FACTS) onFault(`it has more than ${MAX_FACTS} facts`)
  if ((actions?.length ?? 0) > MAX_ACTIONS) onFault(`it has more than ${MAX_ACTIONS} actions`)
  const shownActions = (actions ?? []).slice(0, MAX_ACTIONS).flatMap((action, index): SectionAction[] => {
    const href = ownAddress(action.href, source)
    if (href === null) onFault(`action ${index + 1} leads elsewhere`)
    return href === null ? [] : [{ ...action, href }]
  })
  return {
    id,
    title,
    ...text ? { text } : {},
    ...facts?.length ? { facts: facts.slice(0, MAX_FACTS) } : {},
    ...shownActions.length > 0 ? { actions: shownActions } : {}
  }
}

/**
 * The address from the root of the site; null unless it is below the module's own public paths. URL's parser removes
 * dots, tabs and backslashes, so that what is compared is what the browser requests.
 */
function ownAddress(href: string, { module, token_base, origin }: Source): string | null {
  if (!URL.canParse(href, origin)) return null
  const url = new URL(href, origin)
  if (url.origin !== origin || url.username !== '' || url.password !== '') return null
  if (/%(?:2f|5c)/i.test(url.pathname)) return null // a proxy could read it as a separator
  const own = [`/api/v1/public/${module}/`, `${token_base}/x/${module}/`]
  return own.some(place => url.pathname.startsWith(place)) ? `${url.pathname}${url.search}${url.hash}` : null
}

const describe = (error: z.ZodError) =>
  error.issues.map(({ path, message }) => `${path.map(String).join('.') || 'it'}: ${message}`).join('; ')
