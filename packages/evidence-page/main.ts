import type { DecisionRecord } from './types.ts'
import { fromBase64, type Bytes, type Files } from './bytes.ts'
import { checkBeside, SUMS } from './check-beside.ts'
import { checkEvidence, readJson } from './check-evidence.ts'
import { readChosen, readDropped, readSiblings, type Chosen } from './read-beside.ts'
import { isLanguage, LANGUAGES, languageOf } from './texts.ts'
import { draw, type Content, type State } from './view.ts'

const PAGE = 'check.html'
const copiesText = document.getElementById('copies')!.textContent
const copies = readCopies(copiesText)
const record = readJson<DecisionRecord>(copies.get('signature.json'))

const state: State = {
  language: languageOf([...navigator.languages, record?.locale ?? '']),
  insecure: !globalThis.crypto?.subtle,
  copies: null,
  facts: null,
  beside: null,
  busy: false,
  unreadable: null,
  names: [PAGE, ...copies.keys(), SUMS],
  copied: [...copies.keys()]
}
const show = (change: Partial<State>) => draw(Object.assign(state, change))

/** Stops at an entry that isn't base64. Entries that are left out count as missing. */
function readCopies(text: string): Files {
  const found = new Map<string, Bytes>()
  try {
    for (const [name, base64] of Object.entries(JSON.parse(text) as Record<string, string>))
      found.set(name, fromBase64(base64))
  } catch {
    return found // the check of the copies reports missing files
  }
  return found
}

/** Facts are only shown from intact copies. */
async function checkCopies(): Promise<void> {
  const report = await checkEvidence(copies)
  const content = readJson<Content>(copies.get('content.json'))
  show({ copies: report, facts: report.ok && content && record ? { content, record } : null })
}

let copiesChecked: Promise<void> | undefined
let choices = 0

/** Runs after the check of the copies, because their list has the page's own fingerprint. */
async function check(files: Files, served: boolean, tell: typeof show): Promise<void> {
  await copiesChecked
  const page = { name: PAGE, sha256: state.copies?.list?.page.sha256 ?? '', copies: copiesText }
  const beside = await checkBeside(files, { copies, page })
  tell({ beside: { ...beside, served }, busy: false })
}

/** Each choice of files replaces the one before. */
async function choose(read: () => Promise<Chosen>): Promise<void> {
  const choice = ++choices
  const tell: typeof show = change => choice === choices && show(change)
  show({ busy: true, beside: null, unreadable: null })
  let chosen: Chosen = []
  try {
    chosen = await read()
    if (chosen.length === 0) return void tell({ busy: false })
    await check(await readChosen(chosen), false, tell)
  } catch {
    tell({ busy: false, unreadable: chosen[0]?.path ?? '–' })
  }
}

function listen(): void {
  const language = document.getElementById('language') as HTMLSelectElement
  language.append(
    ...Object.entries(LANGUAGES).map(([code, { name }]) =>
      Object.assign(document.createElement('option'), { value: code, lang: code, textContent: name })
    )
  )
  language.value = state.language
  language.addEventListener('change', () => isLanguage(language.value) && show({ language: language.value }))

  for (const id of ['choose-files', 'choose-folder']) {
    const input = document.getElementById(id) as HTMLInputElement
    input.addEventListener('change', () => {
      const chosen = [...input.files ?? []].map(file => ({ path: file.webkitRelativePath || file.name, file }))
      input.value = '' // without this, choosing the same files again would fire no event
      if (chosen.length > 0) void choose(async () => chosen)
    })
  }
  document.getElementById('folder')!.hidden = !('webkitdirectory' in HTMLInputElement.prototype)

  // Accepts files anywhere on the page, because the browser would open a file that is dropped beside the target.
  const place = document.getElementById('beside-verdict')!
  document.addEventListener('dragover', (event) => {
    event.preventDefault()
    place.classList.add('is-over')
  })
  document.addEventListener('dragleave', event => event.relatedTarget === null && place.classList.remove('is-over'))
  document.addEventListener('drop', (event) => {
    event.preventDefault()
    place.classList.remove('is-over')
    const items = event.dataTransfer?.items
    if (items?.length) void choose(() => readDropped(items))
  })
}

async function start(): Promise<void> {
  listen()
  draw(state)
  if (state.insecure) return
  copiesChecked = checkCopies()
  await copiesChecked
  const siblings = await readSiblings(state.names, PAGE)
  if (siblings) await check(siblings, true, change => choices === 0 && show(change))
}

void start()
