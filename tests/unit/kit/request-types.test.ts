import {
  defineEndpoint, type AdminRequest, type ModuleRequest, type RawBody, type RequestOf, type StaffRequest,
  type StreamedBody
} from '@svc/kit'
import { expectTypeOf, test } from 'vitest'

declare module '@svc/kit' {
  interface AccessSessions { 'notes.link': { note_id: string } }
}

/** The type checker proves these: `tsc` fails if one is wrong, but a run of this file cannot. */
const linkSession = async (_request: ModuleRequest) => ({ link_id: 'a' })

test('the request of an endpoint has the type that its access defines', () => {
  expectTypeOf<RequestOf<'none'>>().toEqualTypeOf<ModuleRequest>()
  expectTypeOf<RequestOf<'session'>>().toEqualTypeOf<StaffRequest>()
  expectTypeOf<RequestOf<{ permission: string }>>().toEqualTypeOf<StaffRequest>()
  expectTypeOf<RequestOf<'admin-token'>>().toEqualTypeOf<AdminRequest>()
  expectTypeOf<RequestOf<'notes.link'>>().toEqualTypeOf<ModuleRequest<{ note_id: string }>>()
  expectTypeOf<RequestOf<'notes.other'>>().toEqualTypeOf<ModuleRequest>()
  expectTypeOf<RequestOf<typeof linkSession>>().toEqualTypeOf<ModuleRequest<{ link_id: string }>>()
})

test('defineEndpoint infers the request from the access', () => {
  defineEndpoint({ access: 'none', handle: ({ request }) => expectTypeOf(request).toEqualTypeOf<ModuleRequest>() })
  defineEndpoint({ access: 'session', handle: ({ request }) => expectTypeOf(request).toEqualTypeOf<StaffRequest>() })
  defineEndpoint({
    access: { permission: 'notes.read' },
    handle: ({ request }) => expectTypeOf(request.actor.clinic_id).toEqualTypeOf<string>()
  })
  defineEndpoint({
    access: linkSession,
    handle: ({ request }) => expectTypeOf(request.session.link_id).toEqualTypeOf<string>()
  })
})

test('raw_body provides the bytes of a body, and stream_body its chunks', () => {
  const raw_body = ['application/json']
  defineEndpoint({ access: 'none', raw_body, handle: ({ body }) => expectTypeOf(body).toEqualTypeOf<RawBody>() })
  defineEndpoint({
    access: 'none',
    raw_body: ['text/csv'],
    stream_body: true,
    handle: ({ body }) => expectTypeOf(body).toEqualTypeOf<StreamedBody<'text/csv'>>()
  })
  defineEndpoint({ access: 'none', handle: ({ body }) => expectTypeOf(body).toBeUndefined() })
})
