export function problem(code, fields = {}) {
  const error = new Error(fields.detail ?? code)
  error.name = 'Problem'
  return Object.assign(error, { svc_problem: true, code, fields })
}

export const isProblem = error => error instanceof Object && error.svc_problem === true && typeof error.code === 'string'

export const reply = answer => ({ svc_reply: true, ...answer })

export const page = (rows, meta) => reply({ data: rows, meta })

export const defineEndpoint = endpoint => endpoint

export const defineModule = definition => definition
