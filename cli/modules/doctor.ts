import { coveredScripts } from '@svc/sheet/text/scripts.ts'
import { defineCommand } from 'citty'
import { examine, type Diagnosis } from '../../server/core/doctor/doctor.ts'
import { EXIT } from '../errors.ts'
import type { Result } from '../output.ts'
import { withModules } from '../with-modules.ts'

export default defineCommand({
  meta: {
    name: 'doctor',
    description: 'Check modules, settings and data for faults; change nothing',
    examples: ['svc modules doctor', 'svc modules doctor --strict --json']
  },
  args: {
    strict: { type: 'boolean', description: 'Exit 1 also when there is only advice' },
    json: { type: 'boolean', description: 'Print one JSON document' }
  },
  async run({ args }): Promise<Result> {
    const diagnosis = await diagnose()
    const isFine = diagnosis.ok && !(args.strict && diagnosis.advice.length > 0)
    return { json: diagnosis, text: toText(diagnosis), exit: isFine ? EXIT.done : EXIT.failure }
  }
})

async function diagnose(): Promise<Diagnosis> {
  return await withModules(async ({ host, sql, config, hasSecret }) => {
    const { modules, broken } = host.registry
    const unasked = modules.some(({ definition }) => definition.doctor) && !hasSecret
    return await examine({
      sql,
      config,
      broken,
      db: host.db,
      files: host.files,
      operator_certificate: host.operator_certificate,
      secrets: hasSecret ? host.secrets : null,
      modules: hasSecret ? modules : [],
      advice: [...unasked ? [SECRET_UNKNOWN] : [], ...checkFonts()]
    })
  })
}

type Advice = Diagnosis['advice'][number]

const SECRET_UNKNOWN: Advice = {
  code: 'secret_unknown',
  object: 'SVC_SECRET',
  message: 'Without the instance\'s secret the modules could not check their data.',
  fix: 'Run it with the environment of the server.'
}

/** Characters of a script without a font appear as their code points in PDFs. */
function checkFonts(): Advice[] {
  const { missing } = coveredScripts()
  if (missing.length === 0) return []
  const message = `No font is installed for ${missing.join(', ')}: PDFs show the numbers of such characters.`
  return [{ code: 'fonts_missing', object: 'PDF', message, fix: 'npm ci' }]
}

function toText(diagnosis: Diagnosis): string {
  const { orphans, missing_dependencies, manifest_errors, errored_modules, integrity, advice } = diagnosis
  const toEntry = ({ object, message, fix }: Diagnosis['advice'][number]) => entry(`${object}: ${message}`, fix)
  const sections: [string, string[]][] = [
    [
      'Orphan modules (in DB, missing from disk):',
      orphans.map(name => entry(name, `restore its package, or: svc modules orphan ${name}`))
    ],
    [
      'Missing dependencies:',
      missing_dependencies.map(({ module, missing }) =>
        entry(`${module} needs ${missing}`, `svc modules install ${missing}`)
      )
    ],
    ['Manifest errors:', manifest_errors.map(({ module, error }) => entry(`${module}: ${error}`, MANIFEST_FIX))],
    [
      'Errored modules:',
      errored_modules.map(({ module, error }) => entry(`${module}: ${error}`, remedyOf(module, error)))
    ],
    ['Integrity:', integrity.map(toEntry)],
    ['Advice:', advice.map(toEntry)]
  ]
  const found = sections
    .filter(([, entries]) => entries.length > 0)
    .map(([head, entries]) => [head, ...entries].join('\n'))
  const scripts = `Scripts in PDFs: ${coveredScripts().covered.join(', ')}`
  return [...diagnosis.ok ? ['All checks passed.'] : [], ...found, scripts].join('\n\n')
}

const MANIFEST_FIX = 'correct its package.json, or install another version of the package'

const entry = (what: string, fix: string) => `  - ${what}\n      ${fix}`

function remedyOf(module: string, error: string): string {
  return (
    /svc modules \w+ \w+(?: --force)?/.exec(error)?.[0] ?? `svc modules info ${module}; fix the cause, then restart`
  )
}
