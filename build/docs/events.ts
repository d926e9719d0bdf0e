import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'

const root = resolve(import.meta.dirname, '../..')
const KIT = 'packages/kit/src'
export const FILE = join(root, 'docs/events.md')

const HEAD = `# Events

Made by \`npm run docs:events\` from the types: don't edit it. Each payload also has \`event_id\` and \`occurred_at\`.
Instants are ISO 8601 with Z, money is decimal text of \`currency\`. Subscribers of modules get an event at least once,
after its commit, in order per budget or person ([How to write a module](modules.md)); webhooks send them to other
systems ([API](api.md)).
`

interface Member { name: string, type: string, text: string }

/** The text of `docs/events.md`: the events of the service itself, then those of the modules. */
export function eventDocs(): string {
  const modules = readdirSync(join(root, KIT, 'modules')).sort().map(name => `modules/${name}`)
  return [HEAD, ...['events.ts', ...modules].flatMap(file => sectionsOf(join(KIT, file)))].join('\n')
}

function sectionsOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true)
  const interfaces = source.statements.filter(ts.isInterfaceDeclaration)
  const payloadOf = (type: ts.TypeNode | undefined): Member[] => {
    if (type && ts.isIntersectionTypeNode(type)) return type.types.flatMap(payloadOf)
    if (type && ts.isTypeLiteralNode(type)) return membersOf(type, source)
    const named = interfaces.find(({ name }) => name.text === type?.getText(source))
    if (!named) throw new Error(`${file} has no interface ${type?.getText(source)}`)
    return membersOf(named, source)
  }
  const events = interfaces.filter(({ name }) => name.text.endsWith('Events'))
  return events.flatMap(({ members }) => members.filter(ts.isPropertySignature)).map((event) => {
    const name = (event.name as ts.StringLiteral).text
    return `## \`${name}\`\n\n${textOf(event)}\n\n${tableOf(payloadOf(event.type))}\n`
  })
}

const membersOf = ({ members }: ts.InterfaceDeclaration | ts.TypeLiteralNode, source: ts.SourceFile): Member[] =>
  members.filter(ts.isPropertySignature).map(member => ({
    name: `${member.name.getText(source)}${member.questionToken ? '?' : ''}`,
    type: member.type!.getText(source).replaceAll(/\s+/g, ' ').replaceAll('|', '\\|'),
    text: textOf(member)
  }))

const textOf = (node: ts.Node): string =>
  ts.getJSDocCommentsAndTags(node)
    .filter(ts.isJSDoc)
    .map(({ comment }) => (typeof comment === 'string' ? comment : '').replaceAll(/\s+/g, ' '))
    .join(' ')

const tableOf = (members: Member[]): string =>
  [
    '| Member | Type | |',
    '|---|---|---|',
    ...members.map(({ name, type, text }) => `| \`${name}\` | \`${type}\` | ${text} |`.replace(/ +\|$/, ' |'))
  ].join('\n')

if (import.meta.main) writeFileSync(FILE, eventDocs())
