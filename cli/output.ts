import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { stripVTControlCharacters } from 'node:util'
import { createConsola, type LogObject } from 'consola/core'
import { describeError } from '../server/core/log.ts'
import { EXIT, toFault } from './errors.ts'

/**
 * The only file of the commands that prints or sets an exit code (`build/bundle.ts` runs before any command): data goes
 * to stdout, everything for people to stderr. With `--json` stdout is one JSON document, also on failure.
 */

/** The result of a command; printed last. */
export interface Result {
  /** The document of `--json`. */
  json: unknown
  /** The same result for people, without the last line break. If it is empty, nothing is printed. */
  text: string
  exit?: number
}

const isColoured = (stream: NodeJS.WriteStream) =>
  stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb'

const MARKS: Record<string, string> = {
  success: '\u001B[32m✔\u001B[39m ',
  warn: '\u001B[33m⚠\u001B[39m ',
  error: '\u001B[31m✖\u001B[39m ',
  start: '\u001B[2m◌\u001B[22m '
}

/** Prints messages for the person at the terminal, never data. */
export const consola = createConsola({
  level: 3,
  reporters: [
    { log: (line: LogObject) => writeLine(process.stderr, `${MARKS[line.type] ?? ''}${line.args.join(' ')}`) }
  ]
})

/** `up` prints and then keeps running. */
export function print({ json, text }: Result, asJson: boolean): void {
  if (asJson) writeData(JSON.stringify(json, null, 2))
  else if (text) writeData(text)
}

export function finish(result: Result, asJson: boolean): void {
  print(result, asJson)
  setExit(result.exit ?? 0)
}

export function fail(error: unknown, asJson: boolean, usage?: string): void {
  const { code, message, hint, exit, extra } = toFault(error)
  if (asJson) writeData(JSON.stringify({ error: { code, message, hint: hint ?? null, ...extra } }, null, 2))
  else {
    if (usage) writeLine(process.stderr, `${usage}\n`)
    consola.error(message)
    if (hint) writeLine(process.stderr, `  ${toSentence(hint)}`)
    if (code === 'internal_error' && process.env.LOG_LEVEL === 'debug' && error instanceof Error)
      writeLine(process.stderr, describeError(error).stack ?? '')
  }
  setExit(exit)
}

/** Formats a hint, which is a command to type or a sentence without its capital letter. */
const toSentence = (hint: string) =>
  /^(?:svc|npm|rm|sh) /.test(hint)
    ? `Run: ${hint}`
    : `${hint[0]!.toUpperCase()}${hint.slice(1)}${/[.!?]$/.test(hint) ? '' : '.'}`

/** Requested help is data and goes to stdout; usage after a mistake goes through `fail`. */
export function help(text: string): void {
  writeData(text)
}

export const isAtTerminal = () => process.stdin.isTTY === true && process.stderr.isTTY === true

/** Asks the person at the terminal; any answer other than y or yes means no. Ctrl-C ends the command. */
export async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  terminal.once('SIGINT', () => process.exit(EXIT.interrupted))
  const closed = once(terminal, 'close').then(() => '')
  const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed])
  terminal.close()
  return /^y(?:es)?$/i.test(answer.trim())
}

let progressing = false

/** Shows a long command's progress in one line of a terminal, overwritten by the next; prints nothing elsewhere. */
export function showProgress(line: string): void {
  if (!process.stderr.isTTY) return
  progressing = true
  process.stderr.write(`\r\u001B[2K${stripVTControlCharacters(line).slice(0, (process.stderr.columns || 80) - 1)}`)
}

export function endProgress(): void {
  if (progressing) process.stderr.write('\r\u001B[2K')
  progressing = false
}

let hostsPackages = false

/**
 * Call before a command runs the code of packages: their output goes to stderr, an unhandled rejection doesn't end the
 * command, and a leftover timer doesn't keep it running.
 */
export function hostPackages(): void {
  hostsPackages = true
  process.stdout.write = process.stderr.write.bind(process.stderr)
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (error: unknown) => consola.warn(`A package failed in the background: ${describeError(error).message}`))
  }
}

/** Ends the process now; everything that it started must already be stopped. */
export function leave(exit: number): never {
  process.exit(exit)
}

function setExit(exit: number): void {
  process.exitCode = exit
  if (hostsPackages) toStdout('', () => process.exit())
}

const toStdout = process.stdout.write.bind(process.stdout)
const writeData = (text: string) => toStdout(`${isColoured(process.stdout) ? text : stripVTControlCharacters(text)}\n`)

function writeLine(stream: NodeJS.WriteStream, text: string): void {
  stream.write(`${isColoured(stream) ? text : stripVTControlCharacters(text)}\n`)
}

/**
 * A reader that closes the pipe (`svc … | head`) isn't an error. If the disk is full, the error is reported on stderr.
 */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit()
    if (stream === process.stdout) consola.error(`The output cannot be written: ${error.message}`)
    process.exit(1)
  })
}
