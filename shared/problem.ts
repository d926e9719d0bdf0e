import * as z from 'zod'

/** RFC 9457. Some codes carry further members, such as `locked_until`. */
export const Problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  /** A sentence that helps the user. */
  detail: z.string(),
  code: z.string(),
  request_id: z.string(),
  /** 422: the wrong values, as RFC 6901 pointers into the body, or by the parameter's name. */
  errors: z.array(z.object({ pointer: z.string(), message: z.string() })).optional()
})
export type Problem = z.infer<typeof Problem>
