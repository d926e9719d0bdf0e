import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const SETTING = /\b(?:SVC_[A-Z0-9_]+|DATABASE_URL|LOG_LEVEL|OTEL_[A-Z_]+)\b/g
const settingsIn = (file: string) => [...new Set([...read(file).matchAll(SETTING)].map(([name]) => name))]

/** Variables that the launcher and the image set, and not an operator. */
const INTERNAL = new Set(['SVC_ROOT', 'SVC_SUPERVISED', 'SVC_SETUP_FOLLOWS'])

describe('the files in deploy match the product:', () => {
  const known = new Set([...settingsIn('server/core/config.ts'), ...INTERNAL])

  test.each(['Dockerfile', 'compose.yaml', 'deploy/kubernetes.yaml', '.env.example'])(
    '%s only names settings that exist',
    (file) => {
      const sdk = /^OTEL_(?:EXPORTER_OTLP_HEADERS|TRACES_SAMPLER|BSP_)/ // used by the SDK itself
      expect(settingsIn(file).filter(name => !known.has(name) && !sdk.test(name))).toEqual([])
    }
  )

  test('.env.example names every setting', () => {
    expect([...known].filter(name => !INTERNAL.has(name) && !settingsIn('.env.example').includes(name))).toEqual([])
  })

  test('the manifest refers to secrets, writes only to /storage and /tmp, and ends pods when others are ready', () => {
    const manifest = read('deploy/kubernetes.yaml')
    expect(manifest).not.toMatch(/^ *(?:DATABASE_URL|SVC_SECRET|SVC_SEAL_PASSWORD): /m)
    for (const part of [
      'secretRef:',
      'runAsNonRoot: true',
      'readOnlyRootFilesystem: true',
      'allowPrivilegeEscalation: false',
      'maxUnavailable: 0',
      'mountPath: /storage',
      'mountPath: /tmp',
      'kind: PodDisruptionBudget'
    ])
      expect(manifest).toContain(part)
    expect(manifest.match(/path: \/(?:livez|readyz)/g)).toHaveLength(3)
  })

  test('compose publishes on loopback unless another address is given', () => {
    const published = [...read('compose.yaml').matchAll(/^ {4}ports:\n((?: {6}.*\n)+)/gm)].flatMap(([, lines]) =>
      lines!.match(/(?<=- ).+/g)
    )
    expect(published).toEqual(['${PUBLISH_ADDRESS:-127.0.0.1}:${PORT:-3000}:3000'])
  })

  test('the image contains no secrets and no build output', () => {
    const ignored = read('.dockerignore').split('\n')
    for (const name of ['.env*', '*.p12', '*.pem', 'storage', 'node_modules', '.output', '.git'])
      expect(ignored).toContain(name)
  })
})

test('every metric that the operations pages name exists in the product', () => {
  const pages = readdirSync(join(root, 'docs/operations')).map(name => read(`docs/operations/${name}`)).join('')
  const named = [
    ...new Set([...pages.matchAll(/\bsvc_[a-z_]+(?=[`{ (])/g)].map(([name]) => name))
  ].filter(name => !name.startsWith('svc_http_request_seconds') && name !== 'svc_http_')
  const files = [
    'server/core/observe/metrics.ts',
    'server/core/observe/work-gauges.ts',
    'layers/budget/server/services/staff-view/count-for-metrics.ts',
    'layers/payments/server/services/watch.ts',
    'layers/sms/server/services/watch.ts'
  ]
  const sources = files.map(read).join('')
  expect(named.length).toBeGreaterThan(10)
  for (const name of named) expect(sources).toContain(name.replace(/^svc_(?:budget|payments|sms)_/, ''))
})
