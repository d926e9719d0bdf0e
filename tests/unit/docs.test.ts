import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const FOLDERS = ['.', 'docs', 'docs/adr', 'docs/modules', 'docs/operations', 'packages', 'layers']
const PAGES = FOLDERS.flatMap((folder) => {
  const nested = folder === 'packages' || folder === 'layers'
  return readdirSync(join(root, folder), { recursive: nested })
    .map(name => join(folder, String(name)))
    .filter(name => name.endsWith('.md') && !name.includes('node_modules'))
})

const withoutBlocks = (text: string) => text.split(/^ *```.*$/m).filter((_, index) => index % 2 === 0).join('')
const withoutCode = (text: string) => withoutBlocks(text).replaceAll(/`[^`\n]*`/g, '``')

/** The anchor that GitHub gives to a heading. */
const anchorOf = (heading: string) =>
  heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')

function anchorsOf(file: string): string[] {
  return [...withoutBlocks(read(file)).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!))
}

function brokenLinks(file: string): string[] {
  const links = [...withoutCode(read(file)).matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)]
  return links
    .map(([, link, attribute]) => link ?? attribute!)
    .filter(link => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path, anchor] = link.split('#')
      const target = path ? relative(root, resolve(root, dirname(file), path)) : file
      if (!existsSync(join(root, target))) return true
      return anchor !== undefined && !anchorsOf(target).includes(anchor)
    })
}

test.each(PAGES)('every link of %s points to an existing file and heading', (file) => {
  expect(brokenLinks(file)).toEqual([])
})

describe('the pictures of the README', () => {
  const pictures = readdirSync(join(root, 'docs/pictures'))

  test('are one of the patient\'s page and one of the staff\'s screen', () => {
    expect(pictures.sort()).toEqual(['desk.png', 'patient.png'])
  })

  test.each(pictures)('include %s with at most 300 kB', (name) => {
    expect(read('README.md')).toContain(`docs/pictures/${name}`)
    expect(statSync(join(root, 'docs/pictures', name)).size).toBeLessThanOrEqual(300_000)
  })
})

test.each(['operations', 'modules'])('docs/%s.md has links to all pages of its folder', (subject) => {
  const index = read(`docs/${subject}.md`)
  for (const name of readdirSync(join(root, 'docs', subject))) expect(index).toContain(`(${subject}/${name})`)
})
