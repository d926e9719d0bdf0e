import { etagOf, reply, type Reply } from '@svc/kit'
import type { By } from '../audit/record-account.ts'
import type { SignedIn } from '../auth/factors/second-step.ts'
import { sessionCookie } from '../auth/sessions.ts'
import type { VersionedClinic } from '../clinics/clinic.ts'
import { runCommand, type CommandRequest } from '../modules/commands.ts'
import type { Host } from '../host.ts'
import { editOf, type getWebhook } from '../webhooks/webhooks.ts'

export const answerClinic = ({ clinic, etag }: VersionedClinic): Reply => reply({ data: clinic, headers: { etag } })

/** Sends the session's secret both as a bearer token and as a cookie. */
export const answerSignIn = ({ secret, expires_at, cookies }: SignedIn): Reply =>
  reply({
    data: { access_token: secret, token_type: 'bearer', expires_at },
    cookies: [sessionCookie(secret), ...cookies]
  })

export const answerWebhook = (webhook: Awaited<ReturnType<typeof getWebhook>>): Reply =>
  reply({ data: webhook, headers: { etag: etagOf(editOf(webhook)) } })

/** Only writes rows: a restart applies them. Answers 200 when there is nothing to do, and for a dry run. */
export async function runModuleCommand(
  { database: { sql }, config, version, secrets }: Host,
  request: CommandRequest,
  who: By
): Promise<Reply> {
  const { changed, answer } = await runCommand({ sql, config, version, secrets: () => secrets, who }, request)
  return reply({ status: changed ? 202 : 200, data: answer })
}
