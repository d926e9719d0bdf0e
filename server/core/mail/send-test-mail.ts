import type { Ctx } from '@svc/kit'

/** Sends a message that shows whether outgoing mail works: for `svc mail test`, and for the button on the screens. */
export async function sendTestMail(
  { mail, base_url }: { mail: Ctx['mail'], base_url: string },
  to: string
): Promise<{ via: 'smtp' | 'file', id: string }> {
  const words = `This is a test message of ${base_url}. Mail works.`
  return await mail.send({ to, subject: 'Test message', text: `${words}\n`, html: `<p>${words}</p>` })
}
