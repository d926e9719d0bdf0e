import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { usageError } from '../errors.ts'
import { consola } from '../output.ts'

/** Returns the first line of standard input. In a terminal it prompts for the line and hides it. */
export async function readPassword(): Promise<string> {
  const password = process.stdin.isTTY ? await ask() : (await text(process.stdin)).split(/\r?\n/)[0]!
  if (!password) throw usageError('No password was given.', 'svc user create … < password-file')
  return password
}

async function ask(): Promise<string> {
  consola.log('Password:')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
  }
}
