import type { Answer, Caller, CallOptions } from '../../support/caller.ts'
import { createFaultFinder, routesOf, type OpenApi, type Route } from '../../support/fuzz/document.ts'

export interface Answers {
  count: number
  /** The number of responses with each status. */
  statuses: Map<number, number>
  /** Responses that contradict the OpenAPI document, one sentence each. */
  wrong: string[]
  /** Every cookie and token that was issued: none may be in the log. */
  secrets: Set<string>
  /** A caller at that address. Each of its responses is compared with the OpenAPI document. */
  from (caller: Caller, address: string): Caller
}

/**
 * One connection per call, because a busy server can close an idle connection while a request is on its way.
 * `isExcused`: whether an active fault explains a failure.
 */
export function createAnswers(document: OpenApi, isExcused: (path: string, status: number) => boolean): Answers {
  const findFault = createFaultFinder(document)
  const routes = routesOf(document).map(route => ({
    route,
    pattern: new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/?]+')}$`)
  }))
  const find = (method: string, path: string): Route | undefined =>
    routes.find(({ route, pattern }) => route.method === method && pattern.test(path.split('?')[0]!))?.route
  const answers: Answers = { count: 0, statuses: new Map(), wrong: [], secrets: new Set(), from }

  function from(caller: Caller, address: string): Caller {
    async function seen(
      method: string,
      path: string,
      call: (options: CallOptions) => Promise<Answer>,
      options: CallOptions = {}
    ): Promise<Answer> {
      const what = `${method} ${find(method, path)?.path ?? path}`
      const answer = await call({
        ...options,
        headers: { 'x-forwarded-for': address, 'connection': 'close', ...options.headers }
      }).catch((error: Error) => {
        answers.wrong.push(`${what} has no answer: ${error.message} ${String(error.cause ?? '')}`)
        throw error
      })
      answers.count += 1
      answers.statuses.set(answer.status, (answers.statuses.get(answer.status) ?? 0) + 1)
      for (const { value } of caller.cookies.values()) answers.secrets.add(value)
      const route = find(method, path)
      const fault = route ? findFault(route, answer) : 'is no route of the document'
      if (fault && !isExcused(path, answer.status))
        answers.wrong.push(`${what} ${fault}: ${JSON.stringify(answer.body)?.slice(0, 300)}`)
      return answer
    }
    return {
      cookies: caller.cookies,
      get: (path, options) => seen('get', path, own => caller.get(path, own), options),
      head: (path, options) => seen('head', path, own => caller.head(path, own), options),
      post: (path, body, options) => seen('post', path, own => caller.post(path, body, own), options),
      patch: (path, body, options) => seen('patch', path, own => caller.patch(path, body, own), options),
      put: (path, body, options) => seen('put', path, own => caller.put(path, body, own), options),
      delete: (path, options) => seen('delete', path, own => caller.delete(path, own), options)
    }
  }
  return answers
}
