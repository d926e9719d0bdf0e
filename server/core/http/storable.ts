/** Text that the database can store: PostgreSQL accepts neither NUL nor half of a surrogate pair. */
export const isStorableText = (text: string) => !text.includes('\0') && text.isWellFormed()

/** JSON text can contain either only as an escape. */
export const mayBeUnstorable = (json: string) => /\\u(?:0000|d[89a-f])/i.test(json)

/**
 * The name of an inherited property. `JSON.parse` makes it an ordinary member, which record schemas then drop silently.
 */
const PROTO = '__proto__'
/** Also finds it escaped. */
export const mayHaveProto = (json: string) => json.includes(PROTO) || /\\u00(?:5f|[67])/i.test(json)

interface Member { name: string, value: unknown, of: Member | null }

/** The path of the first text or name that can't be stored; null if there is none. */
export const findUnstorable = (root: unknown) =>
  findMember(root, ({ name, value }) =>
    !isStorableText(name) || (typeof value === 'string' && !isStorableText(value)))

/** The path of the first member with that name; null if there is none. */
export const findProto = (root: unknown) => findMember(root, ({ name }) => name === PROTO)

/** Without recursion: a body can be nested as deeply as it is long. */
function findMember(root: unknown, isIt: (member: Member) => boolean): string[] | null {
  const open: Member[] = [{ name: '', value: root, of: null }]
  for (let member = open.pop(); member; member = open.pop()) {
    const { value } = member
    if (isIt(member)) return pathOf(member)
    if (typeof value !== 'object' || value === null) continue
    for (const [inner, of] of Object.entries(value).reverse()) open.push({ name: inner, value: of, of: member })
  }
  return null
}

function pathOf(member: Member): string[] {
  const path: string[] = []
  for (let at = member; at.of; at = at.of) path.push(at.name)
  return path.reverse()
}
