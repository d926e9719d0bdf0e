import * as z from 'zod'
import { Import, ImportCheck, ImportMapping, ImportOptionsChange, IMPORT_BYTES } from './schemas.ts'
import { defineEndpoint, type EndpointHandler } from '../endpoints.ts'
import { reply } from '../replies.ts'
import type { StaffRequest } from '../requests.ts'

/** Bytes that multipart headers and the mapping add to the file. */
const AROUND = 100_000

type Name = 'create' | 'get' | 'map' | 'check' | 'run' | 'errors'

const at = ({ params, request }: { params: Record<string, string>, request: StaffRequest }) =>
  ({ clinic_id: request.actor.clinic_id, id: params.id! })
const by = ({ actor }: StaffRequest) => ({ clinic_id: actor.clinic_id, user_id: actor.user_id })

/**
 * The endpoints of an import kind, for a package that has zod. Each is the default export of a file:
 * `imports/index.post.ts` takes the file, `imports/[id].get.ts` and `.patch.ts` show it and change its mapping,
 * `imports/[id]/check.post.ts` and `run.post.ts` check the file and start its import, `imports/[id]/errors.csv.get.ts`
 * sends the wrong rows. `problems`: codes that the kind's `match` throws.
 */
export function importEndpoints(
  kind: string,
  permission: string,
  problems: string[] = []
): Record<Name, EndpointHandler> {
  const access = { permission }
  return {
    create: defineEndpoint({
      access,
      summary: 'Upload a CSV file of at most 20 MB and 100,000 rows: multipart with `file`, `mapping` (field → header or'
        + ' headers) as JSON in place of the guessed one, and options by their names, such as `encoding`. Nothing is'
        + ' written yet.',
      raw_body: ['multipart/form-data'],
      stream_body: true,
      max_body: IMPORT_BYTES + AROUND,
      response: Import,
      status: 201,
      problems: ['bad_request', 'file_unreadable', 'busy', 'storage_full', 'storage_unavailable'],
      handle: ({ body, request }, ctx) =>
        ctx.imports.create(kind, {
          ...by(request),
          content_type: request.headers['content-type'],
          bytes: body.stream
        })
    }),
    get: defineEndpoint({
      access,
      summary: 'Get an import: its mapping, state and progress.',
      response: Import,
      handle: (input, ctx) => ctx.imports.get(kind, at(input))
    }),
    map: defineEndpoint({
      access,
      summary: 'Say which column of the file is which field, and how the file is read. Another encoding or header line'
        + ' reads the file again. Null takes an option back.',
      body: z.strictObject({ mapping: ImportMapping.optional(), ...ImportOptionsChange.shape }),
      response: Import,
      problems: ['wrong_state', 'file_unreadable'],
      handle: (input, ctx) => {
        const { mapping, ...options } = input.body
        return Object.keys(input.body).length === 0
          ? ctx.imports.get(kind, at(input))
          : ctx.imports.map(kind, { ...at(input), mapping, options: options as ImportOptionsChange })
      }
    }),
    check: defineEndpoint({
      access,
      summary: 'Read the whole file and count what an import would do, with the first 50 wrong rows. Changes nothing.'
        + ' One file at a time: until it begins, GET names the checks before it (`checks_before`).',
      response: ImportCheck,
      problems: ['wrong_state', 'busy', ...problems],
      async handle(input, ctx) {
        const { signal } = input.request
        const checked = await ctx.imports.check(kind, { ...at(input), signal })
        const { counts, errors, lost, notes, renamed, form: { passed_over } } = checked
        return { ...counts, errors, lost, notes, renamed, passed_over }
      }
    }),
    run: defineEndpoint({
      access,
      summary: 'Import the file: a job writes it in batches. Wrong rows are left out.',
      response: Import,
      status: 202,
      problems: ['wrong_state'],
      handle: (input, ctx) => {
        const { actor, client } = input.request
        return ctx.imports.run(kind, { ...at(input), actor, client })
      }
    }),
    errors: defineEndpoint({
      access,
      summary: 'Get all wrong rows of the last check or run as CSV, the values that were left out, and how cells were read.',
      handle: async (input, ctx) =>
        reply({
          headers: {
            'content-type': 'text/csv; charset=utf-8',
            'content-disposition': 'attachment; filename="errors.csv"'
          },
          body: await ctx.imports.errors(kind, at(input))
        })
    })
  }
}
