export function problem(code, fields = {}) {
  const error = new Error(fields.detail ?? code)
  error.name = 'Problem'
  return Object.assign(error, { svc_problem: true, code, fields })
}

export const isProblem = error =>
  error instanceof Object && error.svc_problem === true && typeof error.code === 'string'

export const reply = answer => ({ svc_reply: true, ...answer })

export const page = (rows, meta) => reply({ data: rows, meta })

// The marker that h3 looks for. The host adds itself to the context of each request.
export const defineEndpoint = endpoint =>
  Object.assign(event => event.context.svc_host.respond(event, endpoint), {
    __is_handler__: true,
    svc_endpoint: endpoint
  })

export const defineModule = definition => definition

export const isId = text => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

export const etagOf = version => `"${version}"`

export function matchesEtag(version, ifMatch) {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true
  return ifMatch.split(',').some(tag => tag.trim().replace(/^W\//, '') === etagOf(version))
}
