import type { Ctx } from '@svc/kit'

/** A message that shows whether outgoing mail works: `svc mail test`, and the button of the screens. */
export async function sendTestMail(
  { mail, base_url }: { mail: Ctx['mail'], base_url: string },
  to: string
): Promise<{ via: 'smtp' | 'file', id: string }> {
  const words = `This is a test message of ${base_url}. Mail works.`
  return await mail.send({ to, subject: 'Test message', text: `${words}\n`, html: `<p>${words}</p>` })
}
