import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
let document: any
beforeAll(async () => {
  instance = await anInstance()
  document = (await instance.anonymous().get('/api/v1/openapi.json')).body
})
afterAll(() => instance.close())

const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const operations = () => Object.entries(document.paths as Record<string, Record<string, any>>)
  .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))

describe('the OpenAPI document', () => {
  test('is OpenAPI 3.1, bare, with every mounted route and the probes', () => {
    expect(document.openapi).toBe('3.1.0')
    const modules = instance.runtime.host.registry.modules.flatMap(module => module.routes)
    const mounted = modules.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    const described = operations().map(({ path, method }) => `${method} ${path}`)
    expect(described).toEqual(
      expect.arrayContaining([
        ...mounted,
        'get /me',
        'get /api/v1/me',
        'post /api/v1/auth/login',
        'get /health',
        'get /livez',
        'get /readyz',
        'get /api/docs'
      ])
    )
    expect(operations().every(({ method }) => METHODS.includes(method))).toBe(true)
  })

  test('names each operation once, each path parameter, and nothing that does not exist', () => {
    const ids = operations().map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { path, operation } of operations()) {
      const named = (operation.parameters ?? [])
        .filter((parameter: any) => parameter.in === 'path')
        .map((parameter: any) => parameter.name)
      expect(named).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]))
    }
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(match => match[1]!)
    for (const reference of references) {
      expect(reference.split('/').slice(1).reduce((at, step) => at?.[step], document), reference).toBeDefined()
    }
  })

  test('reading and changing the clinic have exactly the members on the wire, settings of modules too', async () => {
    const { get, patch } = document.paths['/api/v1/clinic']
    const resolve = ({ $ref, ...schema }: any): any =>
      $ref ? document.components.schemas[$ref.split('/').at(-1)] : schema.anyOf?.find((one: any) => one.properties) ?? schema
    /** Names of members, including those of nested objects. */
    const described = (schema: any): unknown => {
      const { properties, required = [] } = resolve(schema)
      if (!properties) return null
      expect([...required].sort()).toEqual(Object.keys(properties).sort())
      return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, described(member)]))
    }
    const sent = (value: unknown): unknown =>
      value === null || typeof value !== 'object' || Array.isArray(value)
        ? null
        : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, sent(member)]))

    const admin = await instance.as('admin')
    const answers = [await admin.get('/api/v1/clinic'), await admin.patch('/api/v1/clinic', {})]
    for (const [index, { responses }] of [get, patch].entries())
      expect(described(responses['200'].content['application/json'].schema.properties.data)).toEqual(sent(answers[index]!.body.data))
    const { properties } = resolve(patch.requestBody.content['application/json'].schema)
    expect(Object.keys(properties))
      .toEqual(expect.arrayContaining(['tooth_notation', 'budget_validity_days', 'reminders', 'payment_days']))
  })

  test('has the errors and the permitted callers of every route', () => {
    for (const { path, operation } of operations().filter(({ path }) => path.startsWith('/api/v1'))) {
      expect(operation.responses['500'].content['application/problem+json'], path).toBeDefined()
      expect(operation.security, path).toBeInstanceOf(Array)
    }
    const behindCode = { get: ['', '/pdf', '/pdf/signed'], post: ['/accept', '/reject'] }
    for (const [method, paths] of Object.entries(behindCode)) {
      for (const path of paths)
        expect(document.paths[`/api/v1/public/budgets/{token}${path}`][method].security, path).toEqual([
          { budget_session: [] }
        ])
    }
    const list = document.paths['/api/v1/users'].get
    expect(list['x-permission']).toBe('users.manage')
    expect(list.responses['200'].content['application/json'].schema.required).toEqual([
      'data',
      'total',
      'page',
      'page_size'
    ])
    expect(document.paths['/api/v1/auth/login'].post.requestBody.content['application/json'].schema).toMatchObject({
      required: ['email', 'password'],
      additionalProperties: false
    })
  })

  test('documents that files for staff send a browser without a session to sign in', () => {
    const led = operations().filter(
      ({ operation }) => '303' in operation.responses && 'session_cookie' in (operation.security[0] ?? {})
    )
    expect(led.map(({ path }) => path).sort()).toEqual([
      '/api/v1/audit/export.csv',
      '/api/v1/billing/advances/export.csv',
      '/api/v1/billing/advances/{id}/pdf',
      '/api/v1/billing/invoices/export.csv',
      '/api/v1/billing/invoices/{id}/pdf',
      '/api/v1/billing/payments/export.csv',
      '/api/v1/billing/pro-formas/export.csv',
      '/api/v1/budget/budgets/export.csv',
      '/api/v1/budget/budgets/{id}/evidence',
      '/api/v1/budget/budgets/{id}/pdf',
      '/api/v1/budget/budgets/{id}/pdf/signed',
      '/api/v1/catalog/imports/{id}/errors.csv',
      '/api/v1/catalog/treatments/export.csv',
      '/api/v1/clinic/persons/{id}/export',
      '/api/v1/clinical/imports/{id}/errors.csv',
      '/api/v1/clinical/patients/export.csv',
      '/api/v1/reports/acceptance/export.csv'
    ])
  })

  test('is shown by its page without any request to other hosts', async () => {
    const { status, headers, bytes } = await instance.anonymous().get('/api/docs')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('content-security-policy')).toContain('default-src \'none\'')
    expect(bytes.toString()).not.toMatch(/https?:/)
    expect((await instance.anonymous().get('/api/docs/reference.js')).headers.get('content-type')).toBe(
      'text/javascript; charset=utf-8'
    )
  })
})

describe('the modules in the API', () => {
  test('are the active ones with their navigation and concrete permissions', async () => {
    const { body } = await (await instance.as('receptionist')).get('/api/v1/modules/-/active')
    expect(body.data.map((module: any) => module.name)).toEqual(
      instance.runtime.host.registry.modules.map(({ name }) => name)
    )
    const one = body.data.find((module: any) => module.name === 'budget')
    expect(one).toMatchObject({
      category: 'official',
      summary: expect.any(String),
      permissions: expect.arrayContaining(['budget.read', 'budget.write'])
    })
    expect(Object.keys(one).sort()).toEqual(['category', 'name', 'navigation', 'permissions', 'summary', 'version'])
  })

  test('have list, info, status and operations for the instance\'s administrator', async () => {
    const ops = await instance.asInstanceAdmin()
    const list = (await ops.get('/api/v1/modules')).body.data
    expect(list.find((module: any) => module.name === 'budget')).toMatchObject({
      state: 'installed',
      in_disk: true,
      depends: ['clinical', 'catalog']
    })
    expect((await ops.get('/api/v1/modules/budget')).body.data.operations[0]).toMatchObject({
      module_name: 'budget',
      step: 'finalize',
      status: 'completed'
    })
    expect((await ops.get('/api/v1/modules/nope')).status).toBe(404)
    expect((await ops.get('/api/v1/modules/-')).status).toBe(404)
    expect((await ops.get('/api/v1/modules/-/status')).body.data).toMatchObject({
      by_state: { installed: list.filter(({ state }: { state: string }) => state === 'installed').length },
      pending: [],
      errored: [],
      total: list.length
    })
    const operations = (await ops.get('/api/v1/modules/-/operations?module=budget&limit=2')).body.data
    expect(operations.map((row: any) => row.module_name)).toEqual(['budget', 'budget'])
    expect((await ops.get('/api/v1/modules/-/operations?limit=0')).status).toBe(422)
  })
})
