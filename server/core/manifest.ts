import valid from 'semver/functions/valid.js'
import validRange from 'semver/ranges/valid.js'
import { phraseIssue } from '@svc/kit/issues'
import * as z from 'zod'

/**
 * Path segments of the core's own endpoints, and prefixes of its events (`person.erased`). No module can have one of
 * these names.
 */
const RESERVED = [
  'modules', 'auth', 'users', 'clinic', 'webhooks', 'public', 'documents', 'me', 'docs', 'core',
  'tokens', 'audit', 'setup', 'person'
]
export const ROLES = ['admin', 'dentist', 'hygienist', 'assistant', 'receptionist'] as const
export type Role = typeof ROLES[number]

const moduleName = z.string().regex(/^[a-z][a-z0-9_]*$/, 'must match ^[a-z][a-z0-9_]*$').max(50)
const relativePermission = z
  .string()
  .regex(/^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$/, 'must be a relative name such as "write"')
const fullName = z.string().regex(/^[a-z][a-z0-9_]*(\.[a-z0-9_]+)+$/, 'must be a full name such as "recall.read"')
const granted = z.union([z.literal('*').transform(() => ['*']), z.array(z.union([z.literal('*'), relativePermission]))])
const insidePath = z.string().min(1).refine(isInside, 'must be a path inside the package')

/** As URL's parser writes it: lower case, without a port. */
const hostName = z
  .string()
  .refine(isHostName, 'must be a host name such as "api.example.com"')

const navigationEntry = z.strictObject({
  /** An i18n key. */
  label: z.string().min(1),
  to: z.string().startsWith('/', 'must start with /'),
  icon: z.string().nullable().default(null),
  permission: fullName.nullable().default(null),
  order: z.number().default(100)
})

const optionName = z
  .string()
  .regex(/^[a-z][a-z-]*$/, 'must be a word of a-z')
  .refine(name => !['json', 'help'].includes(name), 'is an option of every command')
const option = z.strictObject({
  description: z.string().min(1),
  /** A description of the value, for the help. Without it the option is a flag. */
  value: z.string().min(1).optional()
})
const command = z.union([
  z.string().min(1).transform(summary => ({ summary, options: {} })),
  z.strictObject({ summary: z.string().min(1), options: z.record(optionName, option).default({}) })
])

/** As file names of endpoints have it: `public/things/[token]/x`. */
const openPath = z
  .string()
  .regex(/^(?:[a-z0-9_-]+|\[[a-z_]+\])(?:\/(?:[a-z0-9_-]+|\[[a-z_]+\]))+$/, 'must be a path such as "public/things/[token]/x"')

const manifestSchema = z
  .strictObject({
    name: moduleName.refine(name => !RESERVED.includes(name), {
      error: issue => `"${String(issue.input)}" is a reserved name`
    }),
    category: z.enum(['official', 'community']).default('community'),
    removable: z.boolean().optional(),
    auto_install: z.boolean().optional(),
    depends: z.array(moduleName).default([]),
    /** Semver range of hosts that the module supports. */
    core: z
      .string()
      .refine(range => validRange(range) !== null, 'must be a semver range')
      .default('*'),
    permissions: z.array(relativePermission).default([]),
    role_permissions: z.partialRecord(z.enum(ROLES), granted).default({}),
    navigation: z.array(navigationEntry).default([]),
    /**
     * Accesses that the entry declares for endpoints of dependants: relative name → the path below which a dependant
     * has its endpoints, in a folder of its own name.
     */
    accesses: z.record(relativePermission, openPath).default({}),
    /** Hosts that the module may call, or `settings` for those in the clinics' settings of the module. */
    outgoing: z.union([z.array(hostName), z.literal('settings')]).default([]),
    server: insidePath.nullable().default(null),
    migrations: insidePath.nullable().default(null),
    seed: z.array(insidePath).default([]),
    layer: insidePath.nullable().default(null),
    /** Steps that the module may refuse, such as `budget.accept`. Each has a function in the entry's `before`. */
    guards: z.array(fullName).default([]),
    /** What the module may get from others besides their ordinary exports, such as `budget.link`. */
    grants: z.array(fullName).default([]),
    /**
     * Members of events, jobs and log fields that contain a person's words, name or number. The log shows none of them,
     * and an erasure removes them from events. One that ends in `_id` names something that many people share.
     */
    personal: z.strictObject({ members: z.array(z.string().regex(/^[a-z][a-z0-9_]*$/).max(50)) }).default({ members: [] }),
    /** Texts after which a token follows, such as the path of a public page. The log leaves the token out. */
    scrub: z.array(z.string().min(4).max(100)).default([]),
    /**
     * Commands that the module adds to `svc`: name, of one or two words, → one line of help, or an object with that and
     * options.
     */
    commands: z
      .record(z.string().regex(/^[a-z][a-z-]*( [a-z][a-z-]*)?$/, 'must be one or two words of a-z'), command)
      .default({})
  })
  .superRefine((manifest, ctx) => {
    if (manifest.depends.includes(manifest.name))
      ctx.addIssue({ code: 'custom', path: ['depends'], message: 'names the module itself' })
    for (const [role, names] of Object.entries(manifest.role_permissions)) {
      const unknown = (names ?? []).filter(name => name !== '*' && !manifest.permissions.includes(name))
      if (unknown.length > 0)
        ctx.addIssue({
          code: 'custom',
          path: ['role_permissions', role],
          message: `not in permissions: ${unknown.join(', ')}`
        })
    }
    for (const [name, path] of Object.entries(manifest.accesses)) {
      const own = [`${manifest.name}/`, `public/${manifest.name}/`]
      if (manifest.category === 'community' && !own.some(place => path.startsWith(place)))
        ctx.addIssue({ code: 'custom', path: ['accesses', name], message: `must start with ${own.join(' or ')}` })
    }
  })
  .transform(manifest => ({
    ...manifest,
    removable: manifest.removable ?? manifest.category !== 'official',
    auto_install: manifest.auto_install ?? manifest.category === 'official'
  }))

/** The `svc` field of a module's package.json with every default filled in. */
export type Manifest = z.infer<typeof manifestSchema>
export type ParsedManifest
  = | { manifest: Manifest, version: string, summary: string, package_name: string, error?: undefined }
    | { manifest?: undefined, error: string }

const packageSchema = z.object({
  name: z.string().default(''),
  version: z.string().refine(version => valid(version) !== null, 'must be a semver version'),
  description: z.string().default(''),
  svc: z.unknown()
})

/** Reads a parsed package.json; never throws. The error names every invalid field. */
export function parseManifest(packageJson: unknown): ParsedManifest {
  const outer = packageSchema.safeParse(packageJson, { error: phraseIssue })
  if (!outer.success) return { error: messageOf(outer.error, []) }
  const inner = manifestSchema.safeParse(outer.data.svc, { error: phraseIssue })
  if (!inner.success) return { error: messageOf(inner.error, ['svc']) }
  return {
    manifest: inner.data,
    version: outer.data.version,
    summary: outer.data.description,
    package_name: outer.data.name
  }
}

function messageOf(error: z.ZodError, prefix: string[]): string {
  return error.issues.map(issue => `${[...prefix, ...issue.path].map(String).join('.')}: ${issue.message}`).join('; ')
}

/** Manifests are untrusted: no path in them may lead outside their package. */
function isInside(path: string): boolean {
  return (
    !path.startsWith('/')
    && !path.includes('\0')
    && !path.includes('\\')
    && !/^[a-z]:/i.test(path)
    && !path.split('/').includes('..')
  )
}

/** Whether URL's parser leaves it as it is. */
function isHostName(text: string): boolean {
  const address = `https://${text}/`
  return URL.canParse(address) && new URL(address).hostname === text
}
