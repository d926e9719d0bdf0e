import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { createLog } from '../../server/core/log.ts'
import { createMail } from '../../server/core/mail/mail.ts'
import { tlsOf } from '../../server/core/mail-url.ts'

const log = createLog({ production: true, log_level: 'silent' })
const now = async () => new Date('2031-05-06T07:08:09Z')
const aMessage = {
  to: 'nuria@example.org',
  subject: 'Su presupuesto – Clínica Núñez',
  text: 'Hola Núria',
  html: '<p>Hola Núria</p>'
}
const settings = (smtp_url: string | null) => ({
  smtp_url,
  mail_from: 'Clínica <no-reply@clinic.example>',
  base_url: 'https://clinic.example',
  storage: mkdtempSync(path.join(tmpdir(), 'svc-mail-'))
})

describe('mail without SMTP', () => {
  it('is written as one complete .eml file under storage/outbox', async () => {
    const config = settings(null)
    const sent = await createMail(config, log, now).send(aMessage)
    expect(sent.via).toBe('file')
    const names = readdirSync(path.join(config.storage, 'outbox'))
    expect(names).toEqual([expect.stringMatching(/\.eml$/)])
    const eml = readFileSync(path.join(config.storage, 'outbox', names[0]!), 'utf8')
    expect(eml).toContain('To: nuria@example.org')
    expect(eml).toContain(`Message-ID: ${sent.id}`)
    expect(eml).toMatch(/multipart\/alternative/)
    const modes = [path.join(config.storage, 'outbox'), path.join(config.storage, 'outbox', names[0]!)].map(
      file => statSync(file).mode & 0o777
    )
    expect(modes).toEqual([0o700, 0o600])
  })
})

describe('mail with SMTP', () => {
  it('reaches the server, and a refusal is thrown so that the job can retry', async () => {
    const received: string[] = []
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith('nobody') ? new Error('no such mailbox') : null),
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

describe('mail to another machine', () => {
  let server: SMTPServer
  let heard: { secure: boolean, words: string }[]
  afterEach(() => new Promise<void>(resolve => server.close(resolve)))

  /** 0.0.0.0 connects to this machine but is not a loopback address. The product treats it as another machine. */
  async function anotherMachine({ starttls }: { starttls: boolean }, query = ''): Promise<string> {
    heard = []
    server = new SMTPServer({
      closeTimeout: 100, // the product keeps its connection
      authOptional: true,
      allowInsecureAuth: true,
      disabledCommands: starttls ? [] : ['STARTTLS'],
      onAuth: ({ password }, { secure }, done) => {
        heard.push({ secure, words: password! })
        done(null, { user: 'clinic' })
      },
      onData(stream, { secure }, done) {
        buffer(stream).then((bytes) => {
          heard.push({ secure, words: bytes.toString() })
          done()
        }, done)
      }
    })
    server.on('error', () => {}) // a client that does not trust the certificate disconnects
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return `smtp://clinic:hunter2@0.0.0.0:${(server.server.address() as AddressInfo).port}${query}`
  }
  const send = (url: string) => createMail(settings(url), log, now).send(aMessage)
  const TRUSTED = '?tls.rejectUnauthorized=false' // the server's certificate is self-signed

  it('is encrypted where the server has STARTTLS', async () => {
    await send(await anotherMachine({ starttls: true }, TRUSTED))
    expect(heard).toEqual([
      { secure: true, words: 'hunter2' },
      { secure: true, words: expect.stringContaining('Hola') }
    ])
  })

  it.each(['', '?ignoreTLS=true', '?requireTLS=false', '?opportunisticTLS=true'])(
    'never leaves in plain text without STARTTLS, nor does the password (%s)',
    async (query) => {
      await expect(send(await anotherMachine({ starttls: false }, query))).rejects.toMatchObject({
        code: 'ETLS',
        message: expect.stringMatching(/nothing was sent.*\?tls=never in SVC_SMTP_URL/)
      })
      expect(heard).toEqual([])
    }
  )

  it('is never sent to a server with an invalid certificate', async () => {
    await expect(send(await anotherMachine({ starttls: true }))).rejects.toThrow('certificate')
    expect(heard).toEqual([])
  })

  it('is sent in plain text if the operator allows it with tls=never', async () => {
    await send(await anotherMachine({ starttls: false }, '?tls=never'))
    expect(heard.map(({ secure }) => secure)).toEqual([false, false])
  })

  it.each([
    ['smtp://mail.example', 'required'],
    ['smtp://192.0.2.1:2525', 'required'],
    ['smtp://mailhog:1025', 'required'],
    ['smtp://localhost.example', 'required'],
    ['smtp://mail.example?tls=never', 'never'],
    ['smtps://mail.example', 'from_start'],
    ['smtp://localhost:25', 'offered'],
    ['smtp://127.0.0.9', 'offered'],
    ['smtp://[::1]:25', 'offered'],
    ['smtp://[::ffff:127.0.0.1]', 'offered']
  ])('through %s has TLS: %s', (url, expected) => expect(tlsOf(url)).toBe(expected))
})
