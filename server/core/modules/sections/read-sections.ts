import type { PublicSection, SectionAction, SectionImage } from '@svc/kit'
import * as z from 'zod'
import { common, line, listOf, readList, toCommon, type OnFault, type ReadList } from './read-list.ts'

const MAX_ACTIONS = 3

const size = z.int().min(1).max(2000).nullish()
const sectionSchema = z.object({
  ...common,
  image: z.object({ src: z.string().max(2000), alt: line(200), width: size, height: size }).nullish(),
  actions: listOf(
    z.object({ label: line(100), href: z.string().max(2000), kind: z.enum(['primary', 'secondary']) }),
    MAX_ACTIONS
  ).nullish()
})

interface Source {
  module: string
  /** The address of the page's API, below which the module may have paths. */
  token_base: string
  /** Origin of this instance. */
  origin: string
}

/** Takes what a module returned, and leaves out whatever breaks the rules of `PublicSection`. */
export const readSections = (returned: unknown, source: Source): ReadList<PublicSection> =>
  readList(returned, sectionSchema, (written, onFault) => toSection(written, source, onFault))

function toSection(
  { actions, image, ...written }: z.infer<typeof sectionSchema>,
  source: Source,
  onFault: OnFault
): PublicSection {
  const section = toCommon(written, onFault)
  if ((actions?.length ?? 0) > MAX_ACTIONS) onFault(`it has more than ${MAX_ACTIONS} actions`)
  const shownActions = (actions ?? []).slice(0, MAX_ACTIONS).flatMap((action, index): SectionAction[] => {
    const href = ownAddress(action.href, source)
    if (href === null) onFault(`action ${index + 1} leads elsewhere`)
    return href === null ? [] : [{ ...action, href }]
  })
  const shownImage = image ? toImage(image, source) : undefined
  if (shownImage === null) onFault('its image is elsewhere')
  return {
    ...section,
    ...shownImage ? { image: shownImage } : {},
    ...shownActions.length > 0 ? { actions: shownActions } : {}
  }
}

type WrittenImage = NonNullable<z.infer<typeof sectionSchema>['image']>

function toImage({ src, alt, width, height }: WrittenImage, source: Source): SectionImage | null {
  const address = ownAddress(src, source)
  return address === null ? null : { src: address, alt, ...width ? { width } : {}, ...height ? { height } : {} }
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
