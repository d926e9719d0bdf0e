import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../server/core/log.ts'
import { createMail } from '../../server/core/mail.ts'

const log = createLog({ production: true, log_level: 'silent' })
const now = async () => new Date('2031-05-06T07:08:09Z')
const aMessage = { to: 'nuria@example.org', subject: 'Su presupuesto – Clínica Núñez', text: 'Hola Núria', html: '<p>Hola Núria</p>' }
const settings = (smtp_url: string | null) => ({
  smtp_url, mail_from: 'Clínica <no-reply@clinic.example>', base_url: 'https://clinic.example', storage: mkdtempSync(path.join(tmpdir(), 'svc-mail-'))
})

describe('mail without SMTP', () => {
  it('is written as one whole .eml file under storage/outbox', async () => {
    const config = settings(null)
    const sent = await createMail(config, log, now).send(aMessage)
    expect(sent.via).toBe('file')
    const names = readdirSync(path.join(config.storage, 'outbox'))
    expect(names).toEqual([expect.stringMatching(/\.eml$/)])
    const eml = readFileSync(path.join(config.storage, 'outbox', names[0]!), 'utf8')
    expect(eml).toContain('To: nuria@example.org')
    expect(eml).toContain(`Message-ID: ${sent.id}`)
    expect(eml).toMatch(/multipart\/alternative/)
  })
})

describe('mail with SMTP', () => {
  it('reaches the server, and a refusal is thrown for the job to try again', async () => {
    const received: string[] = []
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      onRcptTo: ({ address }, _session, done) => done(address.startsWith('nobody') ? new Error('no such mailbox') : null),
      onData(stream, _session, done) {
        buffer(stream).then((bytes) => {
          received.push(bytes.toString())
          done()
        }, done)
      }
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.server.address() as AddressInfo
    const mail = createMail(settings(`smtp://127.0.0.1:${port}`), log, now)

    expect(await mail.send(aMessage)).toMatchObject({ via: 'smtp' })
    expect(received).toEqual([expect.stringContaining('To: nuria@example.org')])
    await expect(mail.send({ ...aMessage, to: 'nobody@example.org' })).rejects.toThrow(/no such mailbox/)
    await new Promise<void>(resolve => server.close(resolve))
  })
})
