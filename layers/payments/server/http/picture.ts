import { problem, reply, type Ctx, type Reply } from '@svc/kit'
import { isPayable } from '../../shared/domain/request-state.ts'
import type { StoredRequest } from '../db/requests.ts'
import { drawCode, transferDetails } from '../services/patient/transfer-details.ts'
import { fitToDue } from '../services/requests/fit-to-due.ts'

/** The EPC QR code of an open request. Throws `not_found` where there is none. */
export async function pictureOf(ctx: Ctx, known: StoredRequest): Promise<Reply> {
  const request = await fitToDue(ctx, known)
  const details = isPayable(request.state) ? await transferDetails(ctx, request) : null
  if (!details?.code) throw problem('not_found')
  return reply({
    headers: {
      'content-type': 'image/svg+xml',
      'cache-control': 'no-store',
      'content-security-policy': 'default-src \'none\''
    },
    body: await drawCode(details.code)
  })
}
