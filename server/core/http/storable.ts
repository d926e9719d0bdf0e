/** Text that the database can keep: PostgreSQL stores neither NUL nor half of a surrogate pair. */
export const isStorableText = (text: string) => !text.includes('\0') && text.isWellFormed()

/** Both reach a JSON text by escapes only. */
export const mayBeUnstorable = (json: string) => /\\u(?:0000|d[89a-f])/i.test(json)

/**
 * A name that objects have by birth. `JSON.parse` makes it a member like any other, and schemas of records then leave
 * it out without a word.
 */
const PROTO = '__proto__'
/** Escaped too. */
export const mayHaveProto = (json: string) => json.includes(PROTO) || /\\u00(?:5f|[67])/i.test(json)

interface Member { name: string, value: unknown, of: Member | null }

/** Where the first text or name is that cannot be stored; null: nowhere. */
export const findUnstorable = (root: unknown) =>
  findMember(root, ({ name, value }) =>
    !isStorableText(name) || (typeof value === 'string' && !isStorableText(value)))

/** Where the first member of that name is; null: nowhere. */
export const findProto = (root: unknown) => findMember(root, ({ name }) => name === PROTO)

/** Without recursion, since a body may be nested as deep as it is long. */
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
